// SPDX-License-Identifier: Apache-2.0
#include "io/checksum.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace pointtree::io {
namespace {

void require(int succeeded) {
  if (succeeded != 1) throw std::runtime_error("SHA-256 is not available in this OpenSSL");
}

}  // namespace

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::update(const void* data, std::size_t size) {
  require(EVP_DigestUpdate(state_->context, data, size));
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(state_->context, digest.data(), &length));
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 0xF];
  }
  return text;
}

std::string sha256(const void* data, std::size_t size) {
  Sha256 sum;
  sum.update(data, size);
  return sum.finish();
}

}  // namespace pointtree::io
