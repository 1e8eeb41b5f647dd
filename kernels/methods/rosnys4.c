/** RN4(3): four stages with three evaluations of f, order 4 with an embedded solution of order 3.
 *  Sandu, Negrut, Haug, Potra, Sandu, section 3: the solution of (36a-h), (38)-(42) for
 *  gamma = 0.57281606 exactly, with gamma_21 < 0 and a_21 = 2, both of which the paper misprints.
 *  The gamma of an L-stable method is rounded to 8 digits: R(inf) = 9.6e-9.
 */
#include "rosenbrock_nystrom.h"

const sal_rosenbrock_nystrom sal_rosnys4_table = {
    .stages = 4,
    .embedded = 3,
    .gamma = 0.57281606,
    .a = {{0},
          {2},
          {1.8679481494982371323, 0.23444556851723885002},
          {1.8679481494982371323, 0.23444556851723885002}},
    .c = {{0},
          {-7.1376499433499798304},
          {2.5809236665096577145, 0.65162988730203202339},
          {-2.1371152665066191168, -0.32146953133995107077, -0.69496604928244522516}},
    .delta = {{0},
              {-1.1963610071120139492},
              {1.4702802544097807146, 0.34810583767920449002},
              {0.0037650943555561657990, -0.10976248675810325568, -0.22803103597313382948}},
    .theta = {{0},
              {1.14563212},
              {0.78950916281563862963, 0.13429418684250480015},
              {0.78950916281563862963, 0.13429418684250480015}},
    .alpha = {0, 1.14563212, 0.65521497597313382948, 0.65521497597313382948},
    .gamma_sum = {0.57281606, -1.7691770671120139492, 0.75929396429320985367,
                  -0.10489462149095580321},
    .m = {2.2555662286045652437, 0.28705506319415760766, 0.43531196337998321340,
          1.0935076564032478032},
    .mu = {1.5927508194095853421, 0.19593826631025060969, 0, 0.62637874732074217784},
    .e_m = {0.18716706807698150947, 0.048373711126624809706, 0.071938617944591505141,
            0.72695052846709265891},
    .e_mu = {0.15784684756137586945, -0.027040406278447759352, -0.12455968641470204977,
             0.41640893753143785653},
    .shares = {[3] = true},
};

SAL_ROSENBROCK_NYSTROM(rosnys4);

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(rosnys4)
const sal_method sal_rosnys4 = {
    .name = "rosnys4",
    .title = "Rosenbrock-Nystrom method of order 4 for second-order systems",
    .source = "Sandu, Negrut, Haug, Potra, Sandu, A Rosenbrock-Nystrom State Space Implicit "
              "Approach for the Dynamic Analysis of Mechanical Systems, section 3",
    .order = 4,
    .min_order = 4,
    .embedded = 3,
    .implicit = true,
    .second_order = true,
    .restep = true,
    SAL_METHOD_OPS(rosnys4),
};
#endif
