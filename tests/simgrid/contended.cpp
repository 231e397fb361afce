// SPDX-License-Identifier: BSD-3-Clause
// A platform for smpirun -platform: that of the XML file PLATFORM_XML names, whose links lose by sharing. Of the rate of a
// link that several flows are on, each further one costs the part CONTENTION, down to half of it.
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace s4u = simgrid::s4u;

static std::string told(const char *name)
{
    const char *value = std::getenv(name);
    if (value == nullptr)
        throw std::invalid_argument(std::string("contended: the environment lacks ") + name);
    return value;
}

extern "C" void load_platform(const s4u::Engine &engine);
void load_platform(const s4u::Engine &engine)
{
    using Policy = s4u::Link::SharingPolicy;
    double part = std::stod(told("CONTENTION"));
    engine.load_platform(told("PLATFORM_XML"));
    for (s4u::Link *link : engine.get_all_links())
        if (link->get_sharing_policy() == Policy::SHARED) // the others are inside a machine
            link->set_sharing_policy(Policy::NONLINEAR, [part](double rate, int flows) {
                return flows < 2 ? rate : rate * std::max(0.5, 1 / (1 + part * (flows - 1)));
            });
}
