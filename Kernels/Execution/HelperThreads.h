// HelperThreads.h - threads that wait for the next solve.
//
// A thread takes 0.1 ms to start. On a busy machine its start and its end may each wait for some milliseconds
// until the system gives it a core.
#pragma once

#include <functional>

namespace isochrone::execution {

/// Runs a task on a thread that has none, or on a new one, with the floating-point modes and on the cores of
/// the caller. Returns at once: true, and a releaseHelper() must follow, or false if there is no such thread.
/// @param task  must not throw
bool startHelper(std::function<void()> task);

/// Says that a task is about to end. Its thread can then take another one.
void releaseHelper();

} // namespace isochrone::execution
