// Streams.cxx - streams, events, captures and graphs.
#include "Report.h"
#include "Runtime.h"
#include "Trace.h"

#include <chrono>
#include <memory>
#include <utility>

namespace on_host {

namespace {

bool isDefault(cudaStream_t s) { return reinterpret_cast<std::uintptr_t>(s) <= 2; }

} // namespace

bool isStream(cudaStream_t s) { return isDefault(s) || state().streams.contains(s); }
CUstream_st& streamOf(cudaStream_t s) { return isDefault(s) ? state().defaultStream : *s; }

void runNext(CUstream_st& s) {
  const Operation o = std::move(s.queue.front());
  s.queue.pop_front();
  if (state().broken == cudaSuccess && o.run) o.run();
  if (!o.event) return;
  o.event->seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  o.event->recorded = true;
  if (o.event->stream == &s) o.event->stream = nullptr;
}

void drain(CUstream_st& s) {
  while (!s.queue.empty()) runNext(s);
}

void drainAll() {
  drain(state().defaultStream);
  for (CUstream_st* s : state().streams) drain(*s);
}

void submit(CUstream_st& s, Operation o) {
  if (s.capture) {
    s.capture->operations.push_back(std::move(o));
    return;
  }
  s.queue.push_back(std::move(o));
  static const bool lazy = setting("LAZY", 1) != 0;
  if (!lazy) drain(s);
}

namespace {

/// Runs the event's stream up to the event.
void reach(CUevent_st& e) {
  while (e.stream) runNext(*e.stream);
}

cudaError_t noSuch(const char* call, const char* what) {
  return misuse(cudaErrorInvalidResourceHandle, call, std::string("no such ") + what);
}

} // namespace

} // namespace on_host

using namespace on_host;

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return call("cudaStreamCreate", Allowed::WhileWhole, [&] {
    *stream = new CUstream_st;
    (*stream)->device = currentDevice();
    state().streams.insert(*stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call("cudaStreamDestroy", Allowed::Always, [&] {
    if (!state().streams.contains(stream)) return noSuch("cudaStreamDestroy", "stream");
    drain(*stream);
    state().streams.erase(stream);
    delete stream;
    return give(state().broken);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call("cudaStreamSynchronize", Allowed::OutsideCaptures, [&] {
    if (!isStream(stream)) return noSuch("cudaStreamSynchronize", "stream");
    drain(streamOf(stream));
    traceWait(false);
    return give(state().broken);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call("cudaStreamQuery", Allowed::OutsideCaptures, [&] {
    if (!isStream(stream)) return noSuch("cudaStreamQuery", "stream");
    CUstream_st& s = streamOf(stream);
    if (!s.queue.empty()) runNext(s);
    return s.queue.empty() ? give(state().broken) : cudaErrorNotReady;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t event, unsigned) {
  return call("cudaStreamWaitEvent", Allowed::WhileWhole, [&] {
    if (!state().events.contains(event)) return noSuch("cudaStreamWaitEvent", "event");
    reach(*event);
    return give(state().broken);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreate", Allowed::WhileWhole, [&] {
    *event = new CUevent_st;
    (*event)->timing = !(flags & cudaEventDisableTiming);
    state().events.insert(*event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", Allowed::Always, [&] {
    if (!state().events.contains(event)) return noSuch("cudaEventDestroy", "event");
    if (event->stream) drain(*event->stream);
    state().events.erase(event);
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call("cudaEventRecord", Allowed::WhileWhole, [&] {
    if (!state().events.contains(event) || !isStream(stream))
      return noSuch("cudaEventRecord", "event or stream");
    CUstream_st& s = streamOf(stream);
    if (s.capture)
      return misuse(cudaErrorStreamCaptureUnsupported, "cudaEventRecord",
                    "events in a capture are not supported here");
    if (event->stream) drain(*event->stream); // recorded again: complete the earlier record first
    event->recorded = false;
    event->stream = &s;
    submit(s, {nullptr, event});
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", Allowed::OutsideCaptures, [&] {
    if (!state().events.contains(event)) return noSuch("cudaEventSynchronize", "event");
    const CUstream_st* s = event->stream;
    reach(*event);
    if (s) traceWait(!s->queue.empty());
    return give(state().broken);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", Allowed::OutsideCaptures, [&] {
    if (!state().events.contains(event)) return noSuch("cudaEventQuery", "event");
    if (event->stream) runNext(*event->stream);
    return event->stream ? cudaErrorNotReady : give(state().broken);
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t a, cudaEvent_t b) {
  return call("cudaEventElapsedTime", Allowed::WhileWhole, [&] {
    const char* name = "cudaEventElapsedTime";
    if (!state().events.contains(a) || !state().events.contains(b)) return noSuch(name, "event");
    if (!a->timing || !b->timing)
      return misuse(cudaErrorInvalidResourceHandle, name, "an event without timing");
    if (a->stream || b->stream) return give(cudaErrorNotReady);
    if (!a->recorded || !b->recorded)
      return misuse(cudaErrorInvalidResourceHandle, name, "an event that was never recorded");
    *milliseconds = float(1e3 * (b->seconds - a->seconds));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call("cudaStreamBeginCapture", Allowed::WhileWhole, [&] {
    const char* name = "cudaStreamBeginCapture";
    if (!state().streams.contains(stream))
      return misuse(cudaErrorStreamCaptureUnsupported, name, "not a stream that can capture");
    if (stream->capture) return misuse(cudaErrorIllegalState, name, "it is capturing");
    stream->capture = new CUgraph_st;
    stream->invalidated = false;
    stream->mode = mode;
    stream->owner = std::this_thread::get_id();
    ++state().capturing;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return call("cudaStreamEndCapture", Allowed::Always, [&] {
    *graph = nullptr;
    if (!state().streams.contains(stream) || !stream->capture)
      return misuse(cudaErrorIllegalState, "cudaStreamEndCapture", "it is not capturing");
    std::unique_ptr<CUgraph_st> captured(std::exchange(stream->capture, nullptr));
    --state().capturing;
    if (stream->invalidated) return give(cudaErrorStreamCaptureInvalidated);
    *graph = captured.release();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call("cudaStreamIsCapturing", Allowed::Always, [&] {
    const CUstream_st& s = streamOf(stream);
    *status = !s.capture      ? cudaStreamCaptureStatusNone
              : s.invalidated ? cudaStreamCaptureStatusInvalidated
                              : cudaStreamCaptureStatusActive;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return call("cudaGraphInstantiate", Allowed::WhileWhole, [&] {
    if (!graph) return misuse(cudaErrorInvalidValue, "cudaGraphInstantiate", "no graph");
    *executable = new CUgraphExec_st{graph->operations};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call("cudaGraphDestroy", Allowed::Always, [&] {
    if (!graph) return misuse(cudaErrorInvalidValue, "cudaGraphDestroy", "no graph");
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return call("cudaGraphExecDestroy", Allowed::Always, [&] {
    if (!executable) return misuse(cudaErrorInvalidValue, "cudaGraphExecDestroy", "no graph");
    delete executable;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return call("cudaGraphLaunch", Allowed::WhileWhole, [&] {
    if (!isStream(stream)) return noSuch("cudaGraphLaunch", "stream");
    if (!executable) return misuse(cudaErrorInvalidValue, "cudaGraphLaunch", "no graph");
    submit(streamOf(stream), {traceGraph});
    for (const Operation& o : executable->operations) submit(streamOf(stream), o);
    return give(state().broken);
  });
}

} // extern "C"
