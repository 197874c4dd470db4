// FRR_API marks what a shared library exports: the public functions and classes, and nothing else.
#pragma once

#define FRR_API __attribute__((visibility("default")))
