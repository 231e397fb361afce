/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/lent.h"
#include "algorithms/operations.h"
#include "exec/native.h"
#include "exec/side.h"
#include "runtime/operators.h"

#include <pthread.h>

static struct star_loan *all;                            /* of this process */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* nothing of the MPI library is called within */

bool star_lent_is_needed(const struct star_call *call)
{
    int number;
    return call->operation < STAR_OPERATIONS && star_operations[call->operation].expected.reduces &&
           star_operator_name(call->op, &number) == NULL;
}

int star_lent_begin(struct star_loan *loan, const struct star_call *call)
{
    int combiner, error = star_combiner_of(call->recvtype, &combiner);
    if (error != MPI_SUCCESS)
        return error;
    bool own = combiner != MPI_COMBINER_NAMED;
    pthread_mutex_lock(&lock);
    *loan =
        (struct star_loan){.op = call->op, .type = own ? call->recvtype : MPI_DATATYPE_NULL, .behind = all};
    if (all != NULL)
        all->before = loan;
    all = loan;
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

static struct star_loan *find_op(MPI_Op op)
{
    struct star_loan *loan = all;
    while (loan != NULL && loan->op != op)
        loan = loan->behind;
    return loan;
}

static struct star_loan *find_type(MPI_Datatype type)
{
    struct star_loan *loan = type != MPI_DATATYPE_NULL ? all : NULL;
    while (loan != NULL && loan->type != type)
        loan = loan->behind;
    return loan;
}

bool star_lent_keeps_op(MPI_Op op)
{
    pthread_mutex_lock(&lock);
    struct star_loan *loan = find_op(op);
    if (loan != NULL)
        loan->ends_op = true;
    pthread_mutex_unlock(&lock);
    return loan != NULL;
}

bool star_lent_keeps_type(MPI_Datatype type)
{
    pthread_mutex_lock(&lock);
    struct star_loan *loan = find_type(type);
    if (loan != NULL)
        loan->ends_type = true;
    pthread_mutex_unlock(&lock);
    return loan != NULL;
}

void star_lent_end(struct star_loan *loan)
{
    struct star_loan *other;
    pthread_mutex_lock(&lock);
    *(loan->before != NULL ? &loan->before->behind : &all) = loan->behind;
    if (loan->behind != NULL)
        loan->behind->before = loan->before;
    if (loan->ends_op && (other = find_op(loan->op)) != NULL) {
        other->ends_op = true;
        loan->ends_op = false;
    }
    if (loan->ends_type && (other = find_type(loan->type)) != NULL) {
        other->ends_type = true;
        loan->ends_type = false;
    }
    pthread_mutex_unlock(&lock);
    if (loan->ends_op)
        star_native.Op_free(&loan->op);
    if (loan->ends_type)
        star_native.Type_free(&loan->type);
}
