/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

int early_failures(void);
