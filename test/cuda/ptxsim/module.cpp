// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace pointtree::ptxsim {
namespace {

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

[[noreturn]] void fail(const std::string& what, std::uint32_t line) {
  throw std::runtime_error("PTX line " + std::to_string(line) + ": " + what);
}

/// Pieces between separators that are in no bracket, without blanks.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::string piece;
  int depth = 0;
  for (const char c : text) {
    if (std::strchr("([{", c) != nullptr) ++depth;
    if (std::strchr(")]}", c) != nullptr) --depth;
    if (c == separator && depth == 0) {
      pieces.push_back(std::exchange(piece, ""));
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      piece += c;
    }
  }
  if (!piece.empty()) pieces.push_back(piece);
  return pieces;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string without_brackets(const std::string& text) { return text.substr(1, text.size() - 2); }

std::uint32_t bytes_of_type(const std::string& type) {
  return static_cast<std::uint32_t>(std::stoul(type.substr(2)) / 8);  // ".f64"
}

/// A declared variable: ".param .align 8 .b8 name[16]".
struct Declaration {
  std::string name;
  std::uint32_t size = 0;
  std::uint32_t alignment = 1;

  explicit Declaration(const std::string& text) {
    std::uint32_t element = 1;
    const std::vector<std::string> all = words(text);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string& word = all[i];
      if (word == ".align") {
        alignment = static_cast<std::uint32_t>(std::stoul(all[++i]));
      } else if (word[0] == '.' && word.size() > 2 && std::isdigit(word[2]) != 0) {
        element = bytes_of_type(word);
        alignment = std::max(alignment, element);
      } else if (word[0] != '.') {
        name = word;
      }
    }
    const std::size_t bracket = name.find('[');
    size = element;
    if (bracket == std::string::npos) return;
    const std::string count = name.substr(bracket + 1, name.find(']') - bracket - 1);
    size = count.empty() ? 0 : element * static_cast<std::uint32_t>(std::stoul(count));
    name.resize(bracket);
  }

  /// Appends the variable to memory of so many bytes and returns its place.
  std::uint32_t place(std::uint32_t& bytes) const {
    const std::uint32_t offset = (bytes + alignment - 1) / alignment * alignment;
    bytes = offset + size;
    return offset;
  }
};

/// Walks through the text, piece by piece.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  /// The next character that is neither blank nor comment; 0 at the end.
  char peek() {
    while (at_ < text_.size()) {
      if (text_.compare(at_, 2, "//") == 0) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        line_ += text_[at_++] == '\n' ? 1 : 0;
      } else {
        return text_[at_];
      }
    }
    return 0;
  }

  /// The text before the next of some characters, which are left.
  std::string until(const char* ends) {
    std::string piece;
    for (char c = peek(); c != 0 && std::strchr(ends, c) == nullptr; c = text_[at_]) {
      line_ += c == '\n' ? 1 : 0;
      piece += c;
      if (++at_ >= text_.size()) break;
      if (text_.compare(at_, 2, "//") == 0) peek();
    }
    return piece;
  }

  void skip() { ++at_; }
  std::uint32_t line() const { return line_; }

  /// A label, if one comes next; else nothing.
  std::string label() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 ||
                                  std::strchr("$_", text_[end]) != nullptr)) {
      ++end;
    }
    if (end == at_ || end >= text_.size() || text_[end] != ':') return "";
    const std::string name = text_.substr(at_, end - at_);
    at_ = end + 1;
    return name;
  }

 private:
  const std::string& text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

/// Names that are known in all functions.
struct Symbols {
  std::map<std::string, std::uint64_t> addresses;
  std::map<std::string, Function>& functions;
};

/// Reads the body of one function.
class BodyReader {
 public:
  BodyReader(Function& function, const std::map<std::string, Parameter>& parameters,
             const Symbols& symbols)
      : function_(function), symbols_(symbols), parameters_(parameters) {}

  void read(Reader& reader) {
    do {
      switch (reader.peek()) {
        case 0:
          fail("the text ends within " + function_.name, reader.line());
        case '{':
          scopes_.emplace_back();
          reader.skip();
          break;
        case '}':
          scopes_.pop_back();
          reader.skip();
          break;
        default:
          read_statement(reader);
      }
    } while (!scopes_.empty());
    for (const auto& [instruction, label] : branches_) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) fail("no label " + label, function_.code[instruction].line);
      function_.code[instruction].target = found->second;
    }
  }

 private:
  void read_statement(Reader& reader) {
    const std::string label = reader.label();
    if (!label.empty()) {
      labels_[label] = static_cast<std::uint32_t>(function_.code.size());
      return;
    }
    const std::uint32_t line = reader.line();
    const std::string text = reader.until(";");
    reader.skip();
    if (starts_with(text, ".reg")) {
      declare_registers(text);
    } else if (starts_with(text, ".param")) {
      const Declaration declared(text);
      parameters_[declared.name] = {declared.place(function_.parameter_bytes), declared.size};
    } else if (starts_with(text, ".local")) {
      const Declaration declared(text);
      scopes_.back()[declared.name] =
          constant(kLocalWindow + declared.place(function_.local_bytes));
    } else if (!starts_with(text, ".pragma") && !starts_with(text, ".loc")) {
      read_instruction(text, line);
    }
  }

  /// ".reg .b32 %r<10>" or ".reg .b32 %a, %b"
  void declare_registers(const std::string& text) {
    for (const std::string& name : split(text.substr(text.find_first_of(" \t", 5)), ',')) {
      const std::size_t angle = name.find('<');
      const bool many = angle != std::string::npos;
      const std::string base = name.substr(0, angle);
      const unsigned long count = many ? std::stoul(name.substr(angle + 1)) : 1;
      for (unsigned long i = 0; i < count; ++i) {
        scopes_.back()[many ? base + std::to_string(i) : base] = new_slot(0);
      }
    }
  }

  std::uint32_t new_slot(std::uint64_t value) {
    function_.frame.push_back(value);
    return static_cast<std::uint32_t>(function_.frame.size() - 1);
  }

  std::uint32_t constant(std::uint64_t value) {
    const auto [found, is_new] = constants_.emplace(value, 0);
    if (is_new) found->second = new_slot(value);
    return found->second;
  }

  static std::uint64_t number(const std::string& text) {
    if (text[0] == '0' && text.size() > 1 && std::strchr("dDfF", text[1]) != nullptr) {
      return std::stoull(text.substr(2), nullptr, 16);
    }
    return text[0] == '-' ? static_cast<std::uint64_t>(std::stoll(text, nullptr, 0))
                          : std::stoull(text, nullptr, 0);
  }

  std::uint32_t slot(const std::string& name) {
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 || name[0] == '-') {
      return constant(number(name));
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(name);
      if (found != scope->end()) return found->second;
    }
    static const std::map<std::string, std::uint32_t> kSpecials{{"%tid.x", Function::tid},
                                                                {"%ctaid.x", Function::ctaid},
                                                                {"%ntid.x", Function::ntid},
                                                                {"%nctaid.x", Function::nctaid}};
    if (const auto found = kSpecials.find(name); found != kSpecials.end()) return found->second;
    if (const auto found = parameters_.find(name); found != parameters_.end()) {
      return constant(found->second.offset);
    }
    if (const auto found = symbols_.addresses.find(name); found != symbols_.addresses.end()) {
      return constant(found->second);
    }
    fail("unknown operand " + name, line_);
  }

  /// "[%rd1+8]"
  void read_address(const std::string& operand, Instruction& instruction) {
    const std::string inside = without_brackets(operand);
    const std::size_t plus = inside.find('+');
    instruction.operands[0] = slot(inside.substr(0, plus));
    if (plus != std::string::npos) {
      instruction.offset = static_cast<std::int64_t>(number(inside.substr(plus + 1)));
    }
  }

  /// "{%r1, %r2}" or "%r1"
  void read_vector(const std::string& operand, Instruction& instruction) {
    const bool many = operand[0] == '{';
    const auto names = many ? split(without_brackets(operand), ',') : std::vector{operand};
    if (names.size() > instruction.vector.size()) fail("vector of more than four", line_);
    instruction.width = static_cast<std::uint8_t>(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      instruction.vector[i] = names[i] == "_" ? new_slot(0) : slot(names[i]);
    }
  }

  void read_call(const std::vector<std::string>& operands, Instruction& instruction) {
    const std::size_t name = operands[0][0] == '(' ? 1 : 0;
    const auto found = symbols_.functions.find(operands.at(name));
    if (found == symbols_.functions.end()) fail("call of unknown " + operands[name], line_);
    Call call{&found->second, {}, 0};
    if (name == 1) call.result = parameters_.at(without_brackets(operands[0])).offset;
    if (operands.size() > name + 1) {
      for (const auto& argument : split(without_brackets(operands[name + 1]), ',')) {
        call.arguments.push_back(parameters_.at(argument).offset);
      }
    }
    instruction.target = static_cast<std::uint32_t>(function_.calls.size());
    function_.calls.push_back(call);
  }

  /// The opcode without what changes nothing here: how exactly rounded results are rounded is said
  /// only once, caches and convergence are of no interest, and operands tell the length of vectors.
  static std::string plain(const std::string& opcode) {
    static const std::set<std::string> kIgnored{"rn", "uni", "nc", "sync", "v2", "v4", "to"};
    std::string result;
    for (const std::string& part : split(opcode, '.')) {
      if (kIgnored.count(part) == 0) result += (result.empty() ? "" : ".") + part;
    }
    return result;
  }

  void read_instruction(const std::string& text, std::uint32_t line) {
    line_ = line;
    Instruction instruction;
    instruction.line = line;
    std::string rest = text;
    if (rest[0] == '@') {
      const std::size_t blank = rest.find_first_of(" \t");
      instruction.negated = rest[1] == '!';
      const std::size_t begin = instruction.negated ? 2 : 1;
      instruction.guard = static_cast<std::int32_t>(slot(rest.substr(begin, blank - begin)));
      rest = rest.substr(rest.find_first_not_of(" \t", blank));
    }
    const std::size_t blank = std::min(rest.find_first_of(" \t\n"), rest.size());
    std::string opcode = plain(rest.substr(0, blank));
    read_operands(split(rest.substr(blank), ','), opcode, instruction);
    instruction.execute = find_instruction(opcode);
    if (instruction.execute == nullptr) fail("unknown instruction " + text, line);
    function_.code.push_back(instruction);
  }

  void read_operands(const std::vector<std::string>& operands, std::string& opcode,
                     Instruction& instruction) {
    const std::string base = opcode.substr(0, opcode.find('.'));
    if (base == "bra") {
      branches_.emplace_back(function_.code.size(), operands.at(0));
    } else if (base == "call") {
      read_call(operands, instruction);
    } else if (base == "bar") {
      if (operands != std::vector<std::string>{"0"}) fail("barrier other than 0", line_);
    } else if (base == "ld") {
      read_vector(operands.at(0), instruction);
      read_address(operands.at(1), instruction);
    } else if (base == "st") {
      read_address(operands.at(0), instruction);
      read_vector(operands.at(1), instruction);
    } else if (base == "atom") {
      instruction.result = slot(operands.at(0));
      read_address(operands.at(1), instruction);
      instruction.operands[1] = slot(operands.at(2));
    } else if (base == "red") {
      opcode.replace(0, 3, "atom");
      instruction.result = new_slot(0);
      read_address(operands.at(0), instruction);
      instruction.operands[1] = slot(operands.at(1));
    } else if (base == "mov" && operands.at(0)[0] == '{') {
      opcode.replace(0, 3, "unpack");
      read_vector(operands[0], instruction);
      instruction.operands[0] = slot(operands.at(1));
    } else if (base == "mov" && operands.at(1)[0] == '{') {
      opcode.replace(0, 3, "pack");
      instruction.result = slot(operands[0]);
      read_vector(operands[1], instruction);
    } else if (!operands.empty()) {
      if (operands.size() > 4) fail("more than three operands", line_);
      instruction.result = slot(operands[0]);
      for (std::size_t i = 1; i < operands.size(); ++i) {
        instruction.operands[i - 1] = slot(operands[i]);
      }
    }
  }

  Function& function_;
  const Symbols& symbols_;
  std::map<std::string, Parameter> parameters_;
  std::vector<std::map<std::string, std::uint32_t>> scopes_;
  std::map<std::uint64_t, std::uint32_t> constants_;
  std::map<std::string, std::uint32_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> branches_;
  std::uint32_t line_ = 0;
};

/// Reads what stands outside of functions.
class ModuleReader {
 public:
  ModuleReader(const std::string& text, GlobalMemory& memory,
               std::map<std::string, Function>& functions)
      : reader_(text), memory_(memory), symbols_{{}, functions} {}

  void read() {
    while (reader_.peek() != 0) {
      const std::uint32_t line = reader_.line();
      const std::string head = reader_.until(" \t\n");
      if (head == ".version" || head == ".target" || head == ".address_size") {
        reader_.until("\n");
      } else if (head == ".visible" || head == ".weak" || head == ".extern") {
        continue;
      } else if (head == ".entry" || head == ".func") {
        read_function();
      } else if (head == ".shared") {
        // Only as much as a launch gives: one array, whose size is not declared.
        const Declaration declared(reader_.until(";"));
        if (declared.size != 0) fail("shared memory of fixed size", line);
        symbols_.addresses[declared.name] = kSharedWindow;
        reader_.skip();
      } else if (head == ".global" || head == ".const") {
        read_variable();
      } else {
        fail("unknown directive " + head, line);
      }
    }
  }

 private:
  void read_variable() {
    const Declaration declared(reader_.until("=;"));
    const GlobalMemory::Address address = memory_.allocate(declared.size);
    symbols_.addresses[declared.name] = address;
    Region& region = *memory_.find(address, declared.size).region;
    std::fill(region.bytes.begin(), region.bytes.end(), std::byte{0});
    region.initialise(0, declared.size);
    std::string values = reader_.until(";");
    reader_.skip();
    const std::size_t brace = values.find('{');
    if (brace == std::string::npos) return;
    std::size_t i = 0;
    for (const auto& value : split(values.substr(brace + 1, values.find('}') - brace - 1), ',')) {
      region.bytes.at(i++) = static_cast<std::byte>(std::stoul(value));
    }
  }

  /// "(.param .b64 result) name (.param .b64 a, …) .maxntid 512 {", or ";" instead of the body.
  void read_function() {
    Function function;
    std::map<std::string, Parameter> parameters;
    const auto read_parameters = [&] {
      reader_.skip();
      std::vector<Parameter> read;
      std::istringstream list(reader_.until(")"));
      for (std::string one; std::getline(list, one, ',');) {
        const Declaration declared(one);
        if (declared.name.empty()) continue;
        read.push_back({declared.place(function.parameter_bytes), declared.size});
        parameters[declared.name] = read.back();
      }
      reader_.skip();
      return read;
    };
    if (reader_.peek() == '(') {
      const auto results = read_parameters();
      if (!results.empty()) function.result = results.front();
    }
    reader_.peek();
    function.name = reader_.until("( \t\n{;");
    if (reader_.peek() == '(') function.parameters = read_parameters();
    const std::vector<std::string> directives = words(reader_.until("{;"));
    const auto most = std::find(directives.begin(), directives.end(), ".maxntid");
    if (most != directives.end()) {
      function.most_threads = static_cast<std::uint32_t>(std::stoul(*(most + 1)));
    }
    const bool declared_only = reader_.peek() == ';';
    Function& kept = symbols_.functions[function.name];
    if (declared_only) {
      reader_.skip();
      if (kept.name.empty()) kept = function;
      return;
    }
    kept = function;
    BodyReader(kept, parameters, symbols_).read(reader_);
  }

  Reader reader_;
  GlobalMemory& memory_;
  Symbols symbols_;
};

}  // namespace

Module::Module(const std::string& text, GlobalMemory& memory) {
  ModuleReader(text, memory, functions_).read();
}

}  // namespace pointtree::ptxsim
