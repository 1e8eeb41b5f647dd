// Visits of the section of a forced oscillator between two walls by Boost.odeint: dopri5 with dense output, impacts by bisection on it.
#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using state = std::array<double, 2>;
static double a, w = 0.65;
static const double zeta = 0.05, wall = 1, e = 0.8, tolerance = 1e-10;

static void rhs(const state &y, state &f, double t)
{
  f[0] = y[1];
  f[1] = a * std::cos(w * t) - y[0] - 2 * zeta * y[1];
}

template <class stepper> static double impact(const stepper &s, double lo, double hi, state &y)
{
  for (int i = 0; i < 60; ++i) {
    const double mid = 0.5 * (lo + hi);
    s.calc_state(mid, y);
    (std::fabs(y[0]) > wall ? hi : lo) = mid;
  }
  s.calc_state(lo, y);
  return lo;
}

int main(int argc, char *argv[])
{
  using namespace boost::numeric::odeint;
  const int cells = std::atoi(argv[1]), visits = std::atoi(argv[2]);
  const double period = 2 * M_PI / w;
  double sum = 0;

  (void)argc;
  for (int c = 0; c < cells; ++c) {
    a = 0.56 + 0.1 * c / std::max(cells - 1, 1);
    auto s = make_dense_output(tolerance, tolerance, runge_kutta_dopri5<state>());
    state y = {0.1, 0}, at;
    double t = 0;
    s.initialize(y, t, 0.1);
    for (int v = 0; v < visits; ++v) {
      const double end = (v + 1) * period;
      while (s.current_time() < end) {
        s.do_step(rhs);
        double hit = std::min(end, s.current_time());
        for (int k = 1; k <= 4; ++k) { // a dip within a step is looked for at four points
          const double from = s.previous_time(), t1 = from + 0.25 * k * (hit - from);
          s.calc_state(t1, at);
          if (std::fabs(at[0]) <= wall) continue;
          const double t2 = impact(s, from + 0.25 * (k - 1) * (hit - from), t1, y);
          y[1] *= -e;
          s.initialize(y, t2, 0.01);
          break;
        }
      }
      s.calc_state(end, y);
      s.initialize(y, end, 0.1);
      sum += y[0];
    }
  }
  std::printf("%.12g\n", sum);
}
