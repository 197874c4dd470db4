// An ONNX graph under construction: nodes, constants, inputs and outputs. Field numbers are those
// of onnx.proto.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distinct.hpp"
#include "protobuf.hpp"

namespace frr::internal {

// TensorProto.DataType
enum class Element : std::uint64_t { float32 = 1, int64 = 7, text = 8, boolean = 9, float64 = 11 };

inline std::uint64_t number_of(Element element) { return static_cast<std::uint64_t>(element); }

using Columns = std::vector<std::size_t>;
using Doubles = std::vector<double>;

// Nodes and constants, in the order of the calls. A value is identified by its name.
class Graph {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::uint64_t>>;

  std::string fresh(std::string name) { return names_.give(std::move(name)); }

  void node(std::string_view op, const std::vector<std::string>& inputs, const std::string& output,
            const Attributes& attributes = {}) {
    Message node;
    for (const std::string& input : inputs) node.text(1, input);
    node.text(2, output).text(3, output).text(4, op);
    for (const auto& [name, value] : attributes) {
      constexpr std::uint64_t kind_int = 2;
      node.message(5, Message().text(1, name).integer(3, value).integer(20, kind_int));
    }
    nodes_.push_back(node);
  }
  // The same, with a new name for the output.
  std::string make(std::string_view op, const std::vector<std::string>& inputs,
                   std::string_view name, const Attributes& attributes = {}) {
    std::string output = fresh(std::string(name));
    node(op, inputs, output, attributes);
    return output;
  }
  std::string gather(const std::string& matrix, const Columns& columns, std::string_view name) {
    return make("Gather", {matrix, constant(columns, std::string(name) + "_columns")}, name,
                {{"axis", 1}});
  }
  std::string as_numbers(const std::string& flags, std::string_view name) {
    return make("Cast", {flags}, name, {{"to", number_of(Element::float64)}});
  }

  // ---- Constants

  std::string constant(const Doubles& values, std::string_view name, std::size_t rows = 0) {
    std::string raw;
    for (const double value : values) append_fixed64(raw, value);
    return add(tensor(Element::float64, values.size(), rows).text(9, raw), name);
  }
  std::string constant(double value, std::string_view name) {
    std::string raw;
    append_fixed64(raw, value);
    return add(Message().integer(2, number_of(Element::float64)).text(9, raw), name);
  }
  std::string constant(const Columns& values, std::string_view name) {
    std::string raw;
    for (const std::size_t value : values) append_fixed64(raw, std::uint64_t{value});
    return add(tensor(Element::int64, values.size(), 0).text(9, raw), name);
  }
  std::string constant(const std::vector<std::string>& values, std::string_view name) {
    Message message = tensor(Element::text, values.size(), 0);
    for (const std::string& value : values) message.text(6, value);
    return add(message, name);
  }
  std::string flags(const std::vector<bool>& values, std::string_view name) {
    std::string raw;
    for (const bool value : values) raw += static_cast<char>(value);
    return add(tensor(Element::boolean, values.size(), 0).text(9, raw), name);
  }

  // ---- Inputs and outputs: one row per case, `columns` columns; 0 columns: a vector

  void input(const std::string& name, Element element, std::string_view note) {
    inputs_.push_back(value_info(name, element, 1, note));
  }
  void output(const std::string& name, Element element, std::size_t columns,
              std::string_view note) {
    outputs_.push_back(value_info(name, element, columns, note));
  }

  [[nodiscard]] Message message(std::string_view note) const {
    Message graph;
    for (const Message& node : nodes_) graph.message(1, node);
    graph.text(2, "frr");
    for (const Message& constant : constants_) graph.message(5, constant);
    graph.text(10, note);
    for (const Message& input : inputs_) graph.message(11, input);
    for (const Message& output : outputs_) graph.message(12, output);
    return graph;
  }

 private:
  // A vector, or a matrix if `rows` is given.
  static Message tensor(Element element, std::size_t size, std::size_t rows) {
    Message message;
    if (rows != 0) message.integer(1, rows);
    message.integer(1, rows == 0 ? size : size / rows);
    return message.integer(2, number_of(element));
  }

  std::string add(Message tensor, std::string_view name) {
    std::string unique = fresh(std::string(name));
    constants_.push_back(tensor.text(8, unique));
    return unique;
  }

  static Message value_info(const std::string& name, Element element, std::size_t columns,
                            std::string_view note) {
    Message shape;
    shape.message(1, Message().text(2, "N"));
    if (columns != 0) shape.message(1, Message().integer(1, columns));
    const Message type =
        Message().message(1, Message().integer(1, number_of(element)).message(2, shape));
    return Message().text(1, name).message(2, type).text(3, note);
  }

  Distinct names_;
  std::vector<Message> nodes_, constants_, inputs_, outputs_;
};

}  // namespace frr::internal
