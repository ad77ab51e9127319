// The one C++ file: the standard library's correctly rounded, locale-free conversions.
#include "core/base/number.h"

#include <charconv>
#include <cmath>
#include <limits>

extern "C" size_t number_print(double value, char *ret_text)
{
    // numbers of everyday size without an exponent: 100000, not 1e+05
    double size = std::fabs(value);
    bool everyday = size == 0 || (size >= 1e-5 && size < 1e16);
    auto format = everyday ? std::chars_format::fixed : std::chars_format::scientific;
    auto result = std::to_chars(ret_text, ret_text + NUMBER_TEXT_MAX - 1, value, format);
    *result.ptr = '\0';
    return static_cast<size_t>(result.ptr - ret_text);
}

// from_chars leaves an out-of-range value untouched: find out which side it fell off.
static double out_of_range(const char *text, const char *end)
{
    bool negative = *text == '-';
    bool tiny = false;
    long double wide = 0;
    auto result = std::from_chars(text, end, wide);
    if (result.ec == std::errc())
        tiny = std::fabs(wide) < 1;
    else
        for (const char *c = text; c < end; c++)
            if ((*c == 'e' || *c == 'E') && c + 1 < end && c[1] == '-')
                tiny = true;
    double value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return negative ? -value : value;
}

extern "C" size_t number_parse(const char *text, size_t length, double *ret_value)
{
    const char *first = text + (length > 0 && text[0] == '-');
    // from_chars would also read "inf" and "nan"
    if (first == text + length || !((*first >= '0' && *first <= '9') || *first == '.'))
        return 0;
    double value = 0;
    auto result = std::from_chars(text, text + length, value);
    if (result.ec == std::errc::invalid_argument)
        return 0;
    if (result.ec == std::errc::result_out_of_range)
        value = out_of_range(text, result.ptr);
    *ret_value = value;
    return static_cast<size_t>(result.ptr - text);
}
