#include <iostream>

#include "frr/frr.hpp"

int main() { std::cout << "frr " << frr::version() << "\n"; }
