#include "names.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/utf8.hpp"

namespace frr::internal {
namespace {

using namespace std::string_literals;

TEST(Names, AreCleaned) {
  Names names;
  EXPECT_EQ(names.give("glucose", "x"), "glucose");
  EXPECT_EQ(names.give("Blood sugar (mg)", "x"), "Blood_sugar_mg");
  EXPECT_EQ(names.give("__proto__", "x"), "proto");
  EXPECT_EQ(names.give("a*/b//c\"\n", "x"), "a_b_c");
  EXPECT_EQ(names.give("caf\u00e9 1", "x"), "caf_1");
}

TEST(Names, BeginWithALetter) {
  Names names;
  EXPECT_EQ(names.give("2nd", "x"), "x_2nd");
  EXPECT_EQ(names.give("", "x"), "x");
  EXPECT_EQ(names.give("\u05d0", "column"), "column");
}

TEST(Names, AreDistinct) {
  Names names({"int"});
  EXPECT_EQ(names.give("a b", "x"), "a_b");
  EXPECT_EQ(names.give("a-b", "x"), "a_b_2");
  EXPECT_EQ(names.give("a_b_2", "x"), "a_b_2_2");
  EXPECT_EQ(names.give("a.b", "x"), "a_b_3");
  EXPECT_EQ(names.give("int", "x"), "int_2");
  EXPECT_EQ(names.give("?", "x"), "x");
  EXPECT_EQ(names.give("!", "x"), "x_2");
}

TEST(Names, AreShort) {
  Names names;
  const std::string name(300, 'y'), cut(40, 'y'), shorter(39, 'z');
  EXPECT_EQ(names.give(name, "x"), cut);
  EXPECT_EQ(names.give(name, "x"), cut + "_2");
  EXPECT_EQ(names.give(shorter + " z", "x"), shorter);
}

TEST(ExactText, KeepsPlainText) {
  EXPECT_EQ(exact_text("Blood sugar (mg)"), "Blood sugar (mg)");
  EXPECT_EQ(exact_text("\u00b5g \u05d0"), "\u00b5g \u05d0");
  EXPECT_EQ(exact_text("in \"quotes\""), "in \"quotes\"");
  EXPECT_EQ(exact_text(std::string(300, 'y')), std::string(300, 'y'));
}

TEST(ExactText, IsOtherwiseACLiteral) {
  EXPECT_EQ(exact_text(""), R"("")");
  EXPECT_EQ(exact_text("a "), R"("a ")");
  EXPECT_EQ(exact_text(" a"), R"(" a")");
  EXPECT_EQ(exact_text("\"a\""), R"("\042a\042")");
  EXPECT_EQ(exact_text("a*/b"), R"("a*\057b")");
  EXPECT_EQ(exact_text("/*"), R"("\057*")");
  EXPECT_EQ(exact_text("a\nb\\"), R"("a\012b\134")");
  EXPECT_EQ(exact_text("\xff"), R"("\377")");
}

TEST(CommentText, KeepsLetters) {
  EXPECT_EQ(comment_text("glucose IS high"), "glucose IS high");
  EXPECT_EQ(comment_text("\u00b5g \u05d0 \U0001F600"), "\u00b5g \u05d0 \U0001F600");
  EXPECT_EQ(comment_text(""), "");
}

TEST(CommentText, CannotEndAComment) {
  EXPECT_EQ(comment_text("a*/b"), "a* /b");
  EXPECT_EQ(comment_text("/*"), "/ *");
  EXPECT_EQ(comment_text("a--b---"), "a- -b- - -");
  EXPECT_EQ(comment_text("a\nb\r\nc"), "a b  c");
  EXPECT_EQ(comment_text("end\\"), "end ");
  EXPECT_EQ(comment_text("?\?/"), "? ?/");
  EXPECT_EQ(comment_text("</script><!--"), "< /script>< !- -");
  EXPECT_EQ(comment_text("*\x01/"), "* /");
  EXPECT_EQ(comment_text("a\0b"s), "a b");
}

TEST(CommentText, HasNoLineEndsAndNoDirectionMarks) {
  EXPECT_EQ(comment_text("a\u2028b\u2029c\u0085d"), "a b c d");
  EXPECT_EQ(comment_text("\u202eevil\u2066\u200f\u061c"), " evil   ");
}

TEST(CommentText, InvalidUtf8BecomesQuestionMarks) {
  EXPECT_EQ(comment_text("a\xffz"), "a?z");
  EXPECT_EQ(comment_text("\xff\xfe"), "? ?");
  EXPECT_EQ(comment_text("\xe2\x82"), "? ?");            // an incomplete character
  EXPECT_EQ(comment_text("\xed\xa0\x80!").back(), '!');  // half of a surrogate pair
}

TEST(CommentText, IsCutBetweenCharacters) {
  const std::string most(120, 'a');
  EXPECT_EQ(comment_text(most), most);
  EXPECT_EQ(comment_text(most + "a"), most + " ...");
  EXPECT_EQ(comment_text("\u20ac\u20ac\u20ac", 7), "\u20ac\u20ac ...");
  EXPECT_EQ(comment_text("abc", 3), "abc");
}

TEST(CommentText, IsOneLineOfUtf8ForAnyInput) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t i = 0; i < 40; ++i) {
      constexpr std::string_view some = "*/-\\?<!\n\r";
      text += random.below(2) == 0 ? some[random.below(some.size())]
                                   : static_cast<char>(random.below(256));
    }
    const std::string comment = comment_text(text);
    EXPECT_TRUE(is_utf8(comment));
    EXPECT_EQ(comment.find_first_of("\n\r\\"), std::string::npos);
    for (const char* mark : {"*/", "/*", "--", "?\?", "</", "<!"}) {
      EXPECT_EQ(comment.find(mark), std::string::npos) << comment;
    }
  }
}

TEST(Quoted, ForC) {
  EXPECT_EQ(quoted_c("plain"), R"("plain")");
  EXPECT_EQ(quoted_c("\"\\?\n"), R"("\042\134\077\012")");
  // An octal escape has at most three digits, so another digit may follow.
  EXPECT_EQ(quoted_c("\u00e91"), R"("\303\2511")");
}

TEST(Quoted, ForJavaScript) {
  EXPECT_EQ(quoted_javascript("it's?"), R"("it's?")");
  EXPECT_EQ(quoted_javascript("\"\\\n"), R"("\u0022\u005c\u000a")");
  EXPECT_EQ(quoted_javascript("</script>"), R"("\u003c/script>")");
  EXPECT_EQ(quoted_javascript("\u2028\U0001F600"), R"("\u2028\ud83d\ude00")");
  EXPECT_EQ(quoted_javascript("\0"s), R"("\u0000")");
}

TEST(Quoted, ForPython) {
  EXPECT_EQ(quoted_python("\"\"\""), R"("\u0022\u0022\u0022")");
  EXPECT_EQ(quoted_python("\u00e9\U0001F600\x7f"), R"("\u00e9\U0001f600\u007f")");
}

}  // namespace
}  // namespace frr::internal
