#pragma once

#include <string>

// Starts a call every 5 ms for so many seconds, while somebody else restarts the only server. Gives the number of
// calls that were lost.
int Restarts(const std::string& target, double seconds);
