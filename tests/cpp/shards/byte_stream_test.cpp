#include "shards/byte_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "frr/frr.hpp"

namespace frr::internal {
namespace {

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string written() {
  ByteWriter out;
  out.put(std::uint8_t{7});
  out.put(-1.5);
  out.put(std::string_view("two\0parts", 9));
  out.put(std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -1, 0, 1});
  out.put(std::vector<std::string>{"", "a", "Größe"});
  out.put(std::vector<double>{});
  out.put(std::numeric_limits<double>::quiet_NaN());
  return out.take();
}

TEST(ByteStream, ReadsBackWhatWasWritten) {
  const std::string bytes = written();
  ByteReader in(bytes);
  EXPECT_EQ(in.get<std::uint8_t>(), 7);
  EXPECT_EQ(in.get<double>(), -1.5);
  EXPECT_EQ(in.text(), std::string("two\0parts", 9));
  EXPECT_EQ(in.list<std::int64_t>(),
            (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), -1, 0, 1}));
  EXPECT_EQ(in.list<std::string>(), (std::vector<std::string>{"", "a", "Größe"}));
  EXPECT_TRUE(in.list<double>().empty());
  EXPECT_TRUE(std::isnan(in.get<double>()));
  EXPECT_TRUE(in.rest().empty());
}

TEST(ByteStream, FailsIfTheBytesEndTooSoon) {
  const std::string bytes = written();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string_view start = std::string_view(bytes).substr(0, length);
    EXPECT_THROW(
        {
          ByteReader in(start);
          in.get<std::uint8_t>();
          in.get<double>();
          in.text();
          in.list<std::int64_t>();
          in.list<std::string>();
          in.list<double>();
          in.get<double>();
        },
        Error)
        << length;
  }
}

TEST(ByteStream, AllocatesNothingForAListLongerThanTheBytes) {
  ByteWriter out;
  out.put(std::numeric_limits<std::uint64_t>::max());
  out.put(1.0);
  const std::string bytes = out.take();
  EXPECT_THROW(ByteReader(bytes).list<double>(), Error);
  EXPECT_THROW(ByteReader(bytes).list<std::string>(), Error);
  EXPECT_THROW(ByteReader(bytes).text(), Error);
}

TEST(ByteStream, OpensASealedMessage) {
  for (const std::string& content : {std::string(), std::string("a"), std::string(1000, 'x')}) {
    EXPECT_EQ(opened("FRRx", "a test", sealed("FRRx", content)), content);
  }
}

TEST(ByteStream, DetectsEveryFlippedBit) {
  Random random(1);
  std::string content;
  for (int i = 0; i < 100; ++i) content += static_cast<char>(random.below(256));
  const std::string message = sealed("FRRx", content);
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    std::string other = message;
    other[bit / 8] = static_cast<char>(other[bit / 8] ^ (1 << bit % 8));
    const std::string fault = message_of([&] { opened("FRRx", "a test", other); });
    EXPECT_NE(fault, "no error") << "bit " << bit;
    EXPECT_TRUE(std::all_of(fault.begin(), fault.end(), [](char c) { return c >= ' '; })) << fault;
  }
}

TEST(ByteStream, DetectsEveryTruncation) {
  const std::string message = sealed("FRRx", "some content that is long enough");
  for (std::size_t length = 0; length < message.size(); ++length) {
    EXPECT_THROW(opened("FRRx", "a test", std::string_view(message).substr(0, length)), Error);
  }
  EXPECT_THROW(opened("FRRx", "a test", message + "x"), Error);
}

TEST(ByteStream, NamesTheFault) {
  const std::string message = sealed("FRRx", "content");
  EXPECT_NE(message_of([&] { opened("FRRy", "an answer", message); }).find("not an answer"),
            std::string::npos);
  // A message of another version: the same bytes with another text and its length.
  ByteWriter header;
  header.put(std::string_view("0.0.1"));
  const std::string old =
      "FRRx" + header.take() + message.substr(4 + sizeof(std::uint64_t) + version().size());
  const std::string fault = message_of([&] { opened("FRRx", "an answer", old); });
  EXPECT_NE(fault.find("FRR 0.0.1"), std::string::npos) << fault;
  EXPECT_NE(fault.find("same version"), std::string::npos) << fault;
}

}  // namespace
}  // namespace frr::internal
