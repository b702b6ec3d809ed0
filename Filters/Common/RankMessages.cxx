// RankMessages.cxx - messages between pairs of ranks.
#include "Common/Ranks.h"

#include "Grid/GridPart.h"

#include <vtkMultiProcessController.h>
#if VTK_MODULE_ENABLE_VTK_ParallelMPI
#include <vtkMPICommunicator.h>
#include <vtkMPIController.h>
#endif

#include <algorithm>
#include <list>
#include <new>

namespace isochrone::filters {

#if VTK_MODULE_ENABLE_VTK_ParallelMPI

namespace {

/// Messages that are sent and received at the same time, so that no order of the partners can block.
class Transfer {
public:
  Transfer(vtkMultiProcessController* controller, std::span<const int> partnerRanks)
      : mpi(vtkMPIController::SafeDownCast(controller)), partners(partnerRanks) {}

  /// Adds a buffer that is sent to a partner, and one of the given size that is received.
  void add(std::size_t partner, std::span<const char> sent, std::span<char> received) {
    parts(received, [&](char* data, int length) {
      mpi->NoBlockReceive(data, length, partners[partner], tag, requests.emplace_back());
    });
    parts(sent, [&](const char* data, int length) {
      mpi->NoBlockSend(data, length, partners[partner], tag, requests.emplace_back());
    });
  }

  void wait() {
    for (vtkMPICommunicator::Request& request : requests) request.Wait();
    requests.clear();
  }

private:
  static constexpr int tag = 7193; ///< of no meaning; messages of one pair of ranks keep their order

  /// MPI's lengths are of type int.
  template <class Char, class F>
  static void parts(std::span<Char> bytes, const F& f) {
    constexpr std::size_t longest = 1 << 30;
    for (std::size_t begin = 0; begin < bytes.size(); begin += longest)
      f(bytes.data() + begin, int(std::min(longest, bytes.size() - begin)));
  }

  vtkMPIController* mpi;
  std::span<const int> partners;
  std::list<vtkMPICommunicator::Request> requests; ///< a list, since MPI keeps their addresses
};

std::span<char> bytesOf(std::size_t& number) { return {reinterpret_cast<char*>(&number), sizeof number}; }

} // namespace

std::vector<std::vector<char>> Ranks::exchange(std::span<const int> partners,
                                               std::span<const std::vector<char>> messages) const {
  Transfer transfer(controller, partners);
  std::vector<std::size_t> own(partners.size()), sizes(partners.size());
  for (std::size_t i = 0; i < partners.size(); ++i) {
    own[i] = messages[i].size();
    transfer.add(i, bytesOf(own[i]), bytesOf(sizes[i]));
  }
  transfer.wait();

  // A rank without memory for the messages says so before its partners send them.
  std::vector<std::vector<char>> received(partners.size());
  char room = 1;
  std::vector<char> rooms(partners.size(), 1); // per partner
  try {
    for (std::size_t i = 0; i < partners.size(); ++i) received[i].resize(sizes[i]);
  } catch (const std::bad_alloc&) {
    room = 0;
  }
  const auto isEmpty = [&](std::size_t i) { return own[i] == 0 && sizes[i] == 0; };
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (!isEmpty(i)) transfer.add(i, {&room, 1}, {&rooms[i], 1});
  transfer.wait();
  if (!room) throw std::bad_alloc();
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (rooms[i]) transfer.add(i, messages[i], received[i]);
  transfer.wait();
  if (std::find(rooms.begin(), rooms.end(), 0) != rooms.end()) throw grid::OtherPartStopped();
  return received;
}

#else // without MPI there is one rank, which has no partners

std::vector<std::vector<char>> Ranks::exchange(std::span<const int> partners,
                                               std::span<const std::vector<char>>) const {
  return std::vector<std::vector<char>>(partners.size());
}

#endif

} // namespace isochrone::filters
