/** Boost.odeint: controlled steppers dopri5, ck54 and fehlberg78; `event` (dopri5 alone) looks for
 *  the root on the dense output, which odeint leaves to its user, and makes a new stepper at each root.
 */
#include "flight.h"
#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <string>

namespace odeint = boost::numeric::odeint;

typedef std::array<double, FLIGHT_STATES>         state;
typedef odeint::runge_kutta_dopri5<state>      dopri5;
typedef odeint::runge_kutta_cash_karp54<state> ck54;
typedef odeint::runge_kutta_fehlberg78<state>  fehlberg78;

namespace
{

constexpr double AT_ROOT = 1e-15; // |y1| that needs no further search

auto flow(hopper *p)
{
  return [p](const state &y, state &dy, double /*t*/) { hopper_rhs(p, y.data(), dy.data()); };
}

template <class method> void run_switch(hopper *p, state &y, double tolerance, flight_work *work)
{
  const auto count = [work](const state & /*y*/, double /*t*/) { work->steps += 1; };

  odeint::integrate_adaptive(odeint::make_controlled<method>(tolerance, tolerance), flow(p), y, 0.0,
                             FLIGHT_T_END, FLIGHT_FIRST, count);
  work->steps -= 1; // the observer sees the start, too
}

// Root of y1 between a and b, where it is at_a and at_b: secant steps with Illinois' halving, every
// sixth one a bisection.
template <class dense>
double root(const dense &stepper, double a, double b, double at_a, double at_b)
{
  double x    = b;
  int    side = 0;
  state  y;

  for (int i = 0; i < 60 && b - a > 1e-14 * (1 + b); ++i) {
    x = i % 6 == 5 ? 0.5 * (a + b) : (a * at_b - b * at_a) / (at_b - at_a);
    if (!(x > a && x < b)) x = 0.5 * (a + b);
    stepper.calc_state(x, y);
    if (std::fabs(y[0]) < AT_ROOT) break;
    if ((y[0] > 0) == (at_b > 0)) {
      b = x, at_b = y[0];
      if (side == 1) at_a *= 0.5;
      side = 1;
    } else {
      a = x, at_a = y[0];
      if (side == -1) at_b *= 0.5;
      side = -1;
    }
  }
  return x;
}

// From t to the next root, or to the end; h is the first step, and the one to begin with behind it.
double leg(hopper *p, state &y, double t, double &h, double tolerance, flight_work *work)
{
  const double inside  = p->closed ? -1 : 1; // sign of y1
  auto         stepper = odeint::make_dense_output<dopri5>(tolerance, tolerance);

  stepper.initialize(y, t, h);
  while (stepper.current_time() < FLIGHT_T_END) {
    stepper.do_step(flow(p));
    work->steps += 1;
    if (inside * stepper.current_state()[0] > 0) continue;
    double a = stepper.previous_time(), at_a = stepper.previous_state()[0];
    if (at_a == 0) { // the root it began at must not be found again
      a += 1e-6 * (stepper.current_time() - a);
      stepper.calc_state(a, y);
      at_a = y[0];
    }
    const bool   at_once = inside * at_a <= 0; // a flight too short to have an inside
    const double found =
        at_once ? a : root(stepper, a, stepper.current_time(), at_a, stepper.current_state()[0]);
    if (found >= FLIGHT_T_END) break;
    stepper.calc_state(found, y);
    h = at_once ? a - stepper.previous_time() : std::min(FLIGHT_FIRST, stepper.current_time_step());
    return found;
  }
  stepper.calc_state(FLIGHT_T_END, y);
  return FLIGHT_T_END;
}

bool run_event(hopper *p, state &y, double tolerance, flight_work *work)
{
  double h = FLIGHT_FIRST;
  int    n = 0;

  for (double t = 0; t < FLIGHT_T_END && n < FLIGHT_MOST_EVENTS; ++n) {
    t = leg(p, y, t, h, tolerance, work);
    if (t >= FLIGHT_T_END) break;
    y[0]      = 0;
    p->closed = y[1] < 0;
  }
  work->events += n;
  return n < FLIGHT_MOST_EVENTS;
}

void pass(flight_task *task, void * /*context*/, flight_work *work)
{
  const std::string method = task->method;

  for (int i = 0; i < task->n; ++i) {
    state  y;
    hopper p  = flight_begin(task, i, y.data());
    bool   ok = true;
    if (method == "dopri5" && task->event)
      ok = run_event(&p, y, task->tolerance, work);
    else if (method == "dopri5")
      run_switch<dopri5>(&p, y, task->tolerance, work);
    else if (method == "ck54" && !task->event)
      run_switch<ck54>(&p, y, task->tolerance, work);
    else if (method == "fehlberg78" && !task->event)
      run_switch<fehlberg78>(&p, y, task->tolerance, work);
    else
      flight_refuse("%s: dopri5, or ck54 and fehlberg78 without events", task->method);
    flight_finish(task, i, &p, y.data(), !ok, work);
  }
}

} // namespace

int main(int argc, char *argv[])
{
  flight_task task;

  flight_read(argc, argv, &task);
  return flight_run(&task, pass, nullptr);
}
