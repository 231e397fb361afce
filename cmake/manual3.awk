# SPDX-License-Identifier: BSD-3-Clause
# awk -v folder=man3 -v version=0.1.0 -f manual3.awk HEADER…: manual pages of section 3 from the headers' comments. The
# first comment of a header begins a page of its name, and each comment "------ Title" a further one. What follows a
# comment, up to an empty line or the next comment, is what it describes.

function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/)
        text = "\\\\&" text
    return text
}

# The functions that CODE declares, in the order of the header.
function find_names(code,    name) {
    while (match(code, /STAR_[A-Za-z_]+\(/)) {
        name = substr(code, RSTART, RLENGTH - 1)
            names = names (names == "" ? "" : ", ") name
        has[name] = 1
        code = substr(code, RSTART + RLENGTH)
    }
}

function end_block(    count, i, lines) {
    if (code != "") {
        find_names(code)
        body = body ".PP\n.nf\n.ft B\n"
        count = split(code, lines, "\n")
        for (i = 1; i < count; i++)
            body = body roff(lines[i]) "\n"
        body = body ".ft R\n.fi\n"
        if (text != "")
            body = body ".RS\n" text ".RE\n"
    } else if (text != "") {
        body = body ".PP\n" text
    }
    code = text = ""
}

function end_page(    path) {
    end_block()
    if (page == "")
        return
    path = folder "/" page ".3"
    print ".TH " toupper(page) " 3 \"\" \"startune " version "\" \"startune\"\n.SH NAME" > path
    print page (names == "" ? "" : ", " names) " \\- " roff(summary) > path
    print ".SH SYNOPSIS\n#include <startune.h>\n.SH DESCRIPTION" > path
    printf "%s", body > path
    print ".SH ENVIRONMENT\n.TP\n\\fBSTARTUNE\\fR\non or off: whether calls are tuned; see \\fBstartune.conf\\fR(5)" > path
    print ".SH SEE ALSO\n\\fBstartune\\fR(3), \\fBstartune_patterns\\fR(3), \\fBstartune\\-run\\fR(1), \\fBstartune.conf\\fR(5)" > path
    close(path)
    page = names = body = ""
}

function begin_page(name, says) {
    end_page()
    page = name
    summary = says
}

FNR == 1 {
    end_page()
    file = FILENAME
    sub(/.*\//, "", file)
    sub(/\.h$/, "", file)
}

/^\/\* ------ / {
    title = $0
    sub(/^\/\* ------ /, "", title)
    sub(/ *\*\/$/, "", title)
    slug = tolower(title)
    sub(/,.*/, "", slug)
    gsub(/[^a-z0-9 ]/, "", slug)
    gsub(/ +/, "_", slug)
    begin_page("startune_" slug, title)
    next
}

/^\/\*/ || inside {
    line = $0
    if (!inside)
        end_block()
    first = !inside && line ~ /SPDX/
    inside = line !~ /\*\//
    sub(/ *\*\/.*$/, "", line)
    sub(/^(\/\*| \*) ?/, "", line)
    if (first) {
        begin_page(file, "functions")
        titled = 0
        next
    }
    if (!titled && page == file && text == "" && body == "") {
        summary = line
        sub(/^startune: /, "", summary)
        sub(/\.$/, "", summary)
        titled = 1
    }
    text = text (line == "" ? ".PP" : roff(line)) "\n"
    next
}

/^#(if|endif|else|include|ifndef|define [A-Z]+_H)/ || /^extern "C"/ || /^}$/ { end_block(); next }
/^$/ { end_block(); next }
{ code = code $0 "\n" }

END { end_page() }
