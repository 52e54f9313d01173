// Metrics of sequences, worked out by hand.
#include "report/sequence_metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace {
using namespace fenchel;
using Names = std::vector<std::string>;

Names words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

std::string text(const std::vector<Chunk>& chunks) {
  std::string all;
  for (const Chunk& c : chunks)
    all += c.type + "[" + std::to_string(c.begin) + "," + std::to_string(c.end) + ")";
  return all;
}
std::string chunks(const std::string& labels) { return text(chunks_of(words(labels))); }

const Names kLabels{"B-NP", "B-VP", "I-NP", "I-VP", "O"};

std::vector<double> numbers(const std::string& labels) {
  std::vector<double> found;
  for (const std::string& label : words(labels))
    found.push_back(
        static_cast<double>(std::find(kLabels.begin(), kLabels.end(), label) - kLabels.begin()));
  return found;
}
Metrics metrics(const std::vector<std::int64_t>& starts, const std::string& truth,
                const std::string& guess) {
  return sequence_metrics(kLabels, starts, numbers(truth), numbers(guess));
}
const ClassMetrics& chunk(const Metrics& of, const std::string& type) {
  return *std::find_if(of.chunks.begin(), of.chunks.end(),
                       [&](const ClassMetrics& one) { return one.label == type; });
}
}  // namespace

BOOST_AUTO_TEST_SUITE(sequence_metrics_)

BOOST_AUTO_TEST_CASE(chunks_begin_and_end_as_in_conlleval) {
  BOOST_TEST(chunks("") == "");
  BOOST_TEST(chunks("O O") == "");
  BOOST_TEST(chunks("B-NP I-NP O B-VP") == "NP[0,2)VP[3,4)");
  BOOST_TEST(chunks("B-NP B-NP I-NP") == "NP[0,1)NP[1,3)");
  // I- after O, at the beginning, or after another type begins a chunk.
  BOOST_TEST(chunks("I-NP I-NP O I-VP") == "NP[0,2)VP[3,4)");
  BOOST_TEST(chunks("B-NP I-VP I-VP I-NP") == "NP[0,1)VP[1,3)NP[3,4)");
  // IOB1: B- only between two neighbours of one type.
  BOOST_TEST(chunks("I-NP I-NP B-NP I-NP") == "NP[0,2)NP[2,4)");
}

BOOST_AUTO_TEST_CASE(chunk_labels_are_told_from_others) {
  BOOST_TEST(are_chunk_labels({"O", "B-X", "I-X"}));
  BOOST_TEST(are_chunk_labels({"I-X", "I-Y"}));
  BOOST_TEST(!are_chunk_labels({"O"}));
  BOOST_TEST(!are_chunk_labels({"O", "B-X", "NN"}));
  BOOST_TEST(!are_chunk_labels({"DT", "NN"}));
}

BOOST_AUTO_TEST_CASE(a_chunk_counts_only_as_a_whole) {
  // Truth has NP[0,2) VP[2,3) NP[4,5); the guess NP[0,2) VP[2,4) NP[4,5) NP[5,6): 2 of 4, 2 of 3.
  const Metrics found = metrics({0, 6}, "B-NP I-NP B-VP O B-NP O", "B-NP I-NP B-VP I-VP B-NP B-NP");
  BOOST_TEST(found.at("chunk_precision") == 0.5);
  BOOST_TEST(found.at("chunk_recall") == 2.0 / 3.0);
  BOOST_TEST(found.at("chunk_f1") == 4.0 / 7.0);
  BOOST_TEST(found.at("accuracy") == 4.0 / 6.0);
  BOOST_TEST(found.at("sequence_accuracy") == 0.0);
  BOOST_TEST(chunk(found, "NP").support == 2);
  BOOST_TEST(*chunk(found, "NP").precision == 2.0 / 3.0);
  BOOST_TEST(*chunk(found, "NP").recall == 1.0);
  BOOST_TEST(*chunk(found, "VP").f1 == 0.0);
}

BOOST_AUTO_TEST_CASE(chunks_of_another_type_or_beginning_are_wrong) {
  const Metrics type = metrics({0, 2}, "B-NP I-NP", "B-VP I-VP");
  BOOST_TEST(type.at("chunk_f1") == 0.0);
  BOOST_TEST(chunk(type, "VP").support == 0);
  BOOST_TEST(!chunk(type, "VP").recall);
  BOOST_TEST(metrics({0, 2}, "B-NP I-NP", "O B-NP").at("chunk_f1") == 0.0);
  // The same chunk, written another way.
  BOOST_TEST(metrics({0, 2}, "B-NP I-NP", "I-NP I-NP").at("chunk_f1") == 1.0);
}

BOOST_AUTO_TEST_CASE(a_chunk_ends_with_its_sequence) {
  const Metrics found = metrics({0, 2, 4}, "B-NP I-NP I-NP O", "B-NP I-NP I-NP O");
  BOOST_TEST(chunk(found, "NP").support == 2);
  BOOST_TEST(found.at("sequence_accuracy") == 1.0);
  BOOST_TEST(metrics({0, 2, 4}, "B-NP I-NP I-NP O", "B-NP I-NP O O").at("sequence_accuracy") ==
             0.5);
}

BOOST_AUTO_TEST_CASE(labels_have_their_own_figures) {
  const Metrics found = metrics({0, 4}, "B-NP I-NP O O", "B-NP O O B-VP");
  BOOST_REQUIRE(found.classes.size() == 5U);
  BOOST_TEST(*found.classes[0].f1 == 1.0);
  BOOST_TEST(*found.classes[1].precision == 0.0);
  BOOST_TEST(!found.classes[1].recall);
  BOOST_TEST(!found.classes[2].precision);
  BOOST_TEST(*found.classes[2].recall == 0.0);
  BOOST_TEST(!found.classes[3].f1);
  BOOST_TEST(found.classes[4].support == 2);
  BOOST_TEST(*found.classes[4].f1 == 0.5);
  BOOST_TEST(found.at("macro_f1") == 1.5 / 4.0);
  BOOST_TEST(found.confusion[2 * 5 + 4] == 1);
  BOOST_TEST(found.confusion[4 * 5 + 1] == 1);
}

BOOST_AUTO_TEST_CASE(without_chunk_labels_there_is_no_chunk_metric) {
  const Metrics found = sequence_metrics({"D", "N"}, {0, 2}, {0, 1}, {0, 0});
  BOOST_TEST(found.values.count("chunk_f1") == 0U);
  BOOST_TEST(found.chunks.empty());
  BOOST_TEST(found.at("accuracy") == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
