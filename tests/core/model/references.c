/* Systems with independently computed data at their initial states (50 digits and more). */
#include "tests/core/model/references.h"

const Reference REFERENCES[] =
    {
        {
            .id = "affine-particle-V-y2",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "c=0.75",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)-(y^2)",
                    .constraints = {"dot(z)+x*dot(y)-y*dot(x)-c"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.5, 0.75, 0.25},
            .v = {0.5, -0.25, 1.25},
            .p = {0.5, -0.25, 1.25},
            .vdot = {-0.3103448275862069, -1.293103448275862, 0.41379310344827586},
            .lambda = {0.41379310344827586},
        },
        {
            .id = "affine-particle-V-z",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "c=0.75",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)-(z)",
                    .constraints = {"dot(z)+x*dot(y)-y*dot(x)-c"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.5, 0.75, 0.25},
            .v = {0.5, -0.25, 1.25},
            .p = {0.5, -0.25, 1.25},
            .vdot = {-0.41379310344827586, 0.27586206896551724, -0.4482758620689655},
            .lambda = {0.5517241379310345},
        },
        {
            .id = "affine-particle-free",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "c=0.75",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)-(0)",
                    .constraints = {"dot(z)+x*dot(y)-y*dot(x)-c"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.5, 0.75, 0.25},
            .v = {0.5, -0.25, 1.25},
            .p = {0.5, -0.25, 1.25},
            .vdot = {0.0, 0.0, 0.0},
            .lambda = {0.0},
        },
        {
            .id = "affine-particle-harmonic",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "c=0.75",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)-((x^2+y^2)/2)",
                    .constraints = {"dot(z)+x*dot(y)-y*dot(x)-c"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.5, 0.75, 0.25},
            .v = {0.5, -0.25, 1.25},
            .p = {0.5, -0.25, 1.25},
            .vdot = {-0.5, -0.75, 0.0},
            .lambda = {0.0},
        },
        {
            .id = "appell-hamel-elevator-implicit",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "be=2.0 ga=1.5 de=-2.5 al=0.75 b=0.5 w=1.25",
                    .lagrangian = "be/2*(dot(x)^2+dot(y)^2)+ga/2*dot(z)^2+de*z",
                    .constraints = {"al^2*(dot(x)^2+dot(y)^2)-(dot(z)-b*sin(w*t))^2"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.25, -0.5, 1.0},
            .v = {1.5, 2.0, 1.875},
            .p = {3.0, 4.0, 2.8125},
            .vdot = {-0.5439560439560439, -0.7252747252747253, -0.054945054945054944},
            .lambda = {-0.6446886446886447},
        },
        {
            .id = "appell-hamel-elevator",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "be=2.0 ga=1.5 de=-2.5 al=0.75 b=0.5 w=1.25",
                    .lagrangian = "be/2*(dot(x)^2+dot(y)^2)+ga/2*dot(z)^2+de*z",
                    .constraints = {"dot(z)-b*sin(w*t)-al*sqrt(dot(x)^2+dot(y)^2)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.25, -0.5, 1.0},
            .v = {1.5, 2.0, 1.875},
            .p = {3.0, 4.0, 2.8125},
            .vdot = {-0.5439560439560439, -0.7252747252747253, -0.054945054945054944},
            .lambda = {2.4175824175824174},
        },
        {
            .id = "appell-linear",
            .sketch =
                {
                    .coordinates = "x1 x2 x3 th1 th2",
                    .parameters = "al=1.5 be=2.0 I1=0.5 I2=0.75 ga=-3.0 R=0.5 r=0.25",
                    .lagrangian = "al/2*(dot(x1)^2+dot(x2)^2)+be/2*dot(x3)^2+I1/2*dot(th1)^2+I2/"
                                  "2*dot(th2)^2+ga*x3",
                    .constraints = {"dot(x1)-R*cos(th2)*dot(th1)", "dot(x2)-R*sin(th2)*dot(th1)",
                                    "dot(x3)-r*dot(th1)"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false, false},
            .t = 0.0,
            .q = {0.25, -0.25, 0.5, 0.0, 0.375},
            .v = {0.5815672636951964, 0.22892033067877973, 0.3125, 1.25, 0.75},
            .p = {0.8723508955427947, 0.3433804960181696, 0.625, 0.625, 0.5625},
            .vdot = {-0.5206306062262026, 0.2988232493641295, -0.1875, -0.75, 0.0},
            .lambda = {-0.780945909339304, 0.4482348740461942, 2.625},
        },
        {
            .id = "appell-nonlinear-explicit",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "be=2.0 ga=1.5 de=-2.5 al=0.75",
                    .lagrangian = "be/2*(dot(x)^2+dot(y)^2)+ga/2*dot(z)^2+de*z",
                    .constraints = {"dot(z)-al*sqrt(dot(x)^2+dot(y)^2)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, -0.5, 1.0},
            .v = {1.5, 2.0, 1.875},
            .p = {3.0, 4.0, 2.8125},
            .vdot = {-0.3956043956043956, -0.5274725274725275, -0.4945054945054945},
            .lambda = {1.7582417582417582},
        },
        {
            .id = "appell-nonlinear-implicit",
            .sketch =
                {
                    .coordinates = "x y z",
                    .parameters = "be=2.0 ga=1.5 de=-2.5 al=0.75",
                    .lagrangian = "be/2*(dot(x)^2+dot(y)^2)+ga/2*dot(z)^2+de*z",
                    .constraints = {"al^2*(dot(x)^2+dot(y)^2)-dot(z)^2"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, -0.5, 1.0},
            .v = {1.5, 2.0, 1.875},
            .p = {3.0, 4.0, 2.8125},
            .vdot = {-0.3956043956043956, -0.5274725274725275, -0.4945054945054945},
            .lambda = {-0.46886446886446886},
        },
        {
            .id = "benenti-free",
            .sketch =
                {
                    .coordinates = "x1 x2 y1 y2",
                    .parameters = "al=1.5 be=0.75",
                    .lagrangian = "al/2*(dot(x1)^2+dot(x2)^2)+be/2*(dot(y1)^2+dot(y2)^2)",
                    .constraints = {"dot(x1)*dot(y2)-dot(x2)*dot(y1)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, -0.5, 0.5, 1.0},
            .v = {0.3, 0.75, 0.5, 1.25},
            .p = {0.45, 1.125, 0.375, 0.9375},
            .vdot = {0.0, 0.0, 0.0, 0.0},
            .lambda = {0.0},
        },
        {
            .id = "benenti-potential",
            .sketch =
                {
                    .coordinates = "x1 x2 y1 y2",
                    .parameters = "al=1.5 be=0.75 k1=0.5 k2=0.75 k3=0.25 k4=0.375",
                    .lagrangian = "al/2*(dot(x1)^2+dot(x2)^2)+be/"
                                  "2*(dot(y1)^2+dot(y2)^2)-(k1*x1^2+k2*x2^2)/2+k3*x1*y1-k4*y2",
                    .constraints = {"dot(x1)*dot(y2)-dot(x2)*dot(y1)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, -0.5, 0.5, 1.0},
            .v = {0.3, 0.75, 0.5, 1.25},
            .p = {0.45, 1.125, 0.375, 0.9375},
            .vdot = {0.13532477947072974, 0.1958700882117081, -0.07905640203154236,
                     -0.43504410585404973},
            .lambda = {0.1623897353648757},
        },
        {
            .id = "bilimovic-suslov",
            .sketch =
                {
                    .coordinates = "phi theta psi",
                    .parameters = "I1=1.0 I2=1.5 I3=2.25 s=0.5 w=0.75",
                    .lagrangian = "I1/2*(dot(phi)*sin(theta)*sin(psi)+dot(theta)*cos(psi))^2+I2/"
                                  "2*(dot(phi)*sin(theta)*cos(psi)-dot(theta)*sin(psi))^2+I3/"
                                  "2*(dot(phi)*cos(theta)+dot(psi))^2",
                    .constraints = {"s*cos(w*t)*(dot(phi)*sin(theta)*sin(psi)+dot(theta)*cos(psi))+"
                                    "s*sin(w*t)*(dot(phi)*sin(theta)*cos(psi)-dot(theta)*sin(psi))+"
                                    "(dot(phi)*cos(theta)+dot(psi))"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {-0.625, 1.5, -0.375},
            .v = {0.5, 0.25, -0.060343300699360704},
            .p = {0.7513968771243944, 0.3517608514201712, -0.05619307469739581},
            .vdot = {0.026054518611239544, -0.09955580364968597, -0.01606464618809726},
            .lambda = {-0.298666761775164},
        },
        {
            .id = "class-constant-measure",
            .sketch =
                {
                    .coordinates = "q1 q2 q3 q4",
                    .parameters = "I1=1.5 I2=0.75 I3=2.0 I4=0.5",
                    .lagrangian = "1/2*(I1*dot(q1)^2+I2*dot(q2)^2+I3*dot(q3)^2+I4*dot(q4)^2)",
                    .constraints = {"dot(q3)+cos(q1)*dot(q2)", "dot(q4)+2*sin(q1)*dot(q2)"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.25, 0.0, 0.5, -0.5},
            .v = {0.75, -1.25, 1.211140527138306, 0.6185098981363073},
            .p = {1.125, -0.9375, 2.422281054276612, 0.30925494906815365},
            .vdot = {0.0, 0.0, -0.23194121180111524, 1.816710790707459},
            .lambda = {-0.4638824236022305, 0.9083553953537294},
        },
        {
            .id = "class-variable-measure",
            .sketch =
                {
                    .coordinates = "q1 q2 q3 q4",
                    .parameters = "I1=1.5 I2=0.75 I3=2.0 I4=0.5",
                    .lagrangian = "1/2*(I1*dot(q1)^2+I2*dot(q2)^2+I3*dot(q3)^2+I4*dot(q4)^2)",
                    .constraints = {"dot(q3)+sin(q1)*dot(q2)", "dot(q4)+q1*dot(q2)"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.25, 0.0, 0.5, -0.5},
            .v = {0.75, -1.25, 0.30925494906815365, 0.3125},
            .p = {1.125, -0.9375, 0.6185098981363073, 0.15625},
            .vdot = {0.0, 0.6270547311373833, 0.7532195722010605, 0.7807363172156542},
            .lambda = {1.506439144402121, 0.3903681586078271},
        },
        {
            .id = "contact-oscillators-cvt",
            .sketch =
                {
                    .coordinates = "x y s",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(s)^2)-1/2*(x^2+2*y^2)-1/2*s^2",
                    .constraints = {"dot(y)-s*dot(x)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.75, 0.25, 0.5},
            .v = {0.5, 0.25, 0.25},
            .p = {0.5, 0.25, 0.25},
            .vdot = {-0.85, -0.3, -0.5},
            .lambda = {0.2},
        },
        {
            .id = "damped-oscillator-t",
            .sketch =
                {
                    .coordinates = "y",
                    .parameters = "om=1.5 B0=0.25",
                    .lagrangian = "1/2*dot(y)^2-1/2*om^2*y^2",
                    .forces = {"y: -B0*dot(y)"},
                },
            .t = 0.0,
            .q = {0.75},
            .v = {0.5},
            .p = {0.5},
            .vdot = {-1.8125},
        },
        {
            .id = "damped-oscillator-tau",
            .sketch =
                {
                    .coordinates = "y",
                    .parameters = "om=1.5 B0=0.25 N0=1.25",
                    .lagrangian = "1/2*(B0*t+N0)^2*dot(y)^2-1/2*om^2*y^2",
                },
            .t = 0.0,
            .q = {0.75},
            .v = {0.5},
            .p = {0.78125},
            .vdot = {-1.28},
        },
        {
            .id = "decelerated-free-particle",
            .sketch =
                {
                    .coordinates = "x y z",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)",
                    .constraints = {"(dot(x)^2+dot(y)^2+dot(z)^2)/2-1/(2*t)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {true},
            .t = 1.0,
            .q = {0.5, -0.25, 1.0},
            .v = {0.375, -0.5, 0.7806247497997998},
            .p = {0.375, -0.5, 0.7806247497997998},
            .vdot = {-0.1875, 0.25, -0.3903123748998999},
            .lambda = {-0.5},
        },
        {
            .id = "disc-on-fixed-disc",
            .sketch =
                {
                    .coordinates = "phi psi",
                    .parameters = "m=1.5 r=0.5 I0=0.25 g=2.5 R0=1.25",
                    .lagrangian = "1/2*(m*(R0+r)^2*dot(phi)^2+I0*dot(psi)^2)-m*g*(R0+r)*sin(phi)",
                    .constraints = {"r*dot(psi)-(R0+r)*dot(phi)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {-1.25, 0.5},
            .v = {0.5, 1.75},
            .p = {2.296875, 0.4375},
            .vdot = {-0.270276310624516, -0.945967087185806},
            .lambda = {-0.472983543592903},
        },
        {
            .id = "disc-variable-circle-balanced",
            .sketch =
                {
                    .coordinates = "phi psi",
                    .parameters = "m=1.5 r=0.5 I0=0.25 g=9.75 R0=1.5 B=0.25 w=1.75",
                    .lagrangian = "1/"
                                  "2*(m*(R0+r+B*sin(w*t))^2*dot(phi)^2+I0*dot(psi)^2)-m*g*(R0+r+B*"
                                  "sin(w*t))*sin(phi)",
                    .constraints = {"r*dot(psi)-(R0+r+B*sin(w*t))*dot(phi)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {-1.25, 0.5},
            .v = {0.5, 2.0},
            .p = {3.0, 0.5},
            .vdot = {-1.0973179100061607, -3.9517716400246434},
            .lambda = {-1.9758858200123217},
        },
        {
            .id = "disc-variable-circle-hamiltonized",
            .sketch =
                {
                    .coordinates = "phi z",
                    .parameters = "m=1.5 r=0.5 I0=0.25 g=9.75 R0=1.5 B=0.25 w=1.75",
                    .lagrangian = "(m*r^2+I0)/2*exp((2-2*(I0/(m*r^2+I0)))*log(((R0+r+B*sin(w*z))/"
                                  "r)))*dot(phi)^2-m*r*g*((R0+r+B*sin(w*z))/r)*sin(phi)+dot(z)^2/2",
                    .constraints = {"dot(z)-exp((I0/(m*r^2+I0))*log(((R0+r+B*sin(w*z))/r)))"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {false},
            .t = 0.0,
            .q = {-1.25, 0.0},
            .v = {0.8705505632961241, 1.7411011265922482},
            .p = {2.8717458874925876, 1.7411011265922482},
            .vdot = {-3.1938206702801484, 0.26525039913931964},
            .lambda = {-6.134893376268689},
        },
        {
            .id = "disc-variable-circle-reduced",
            .sketch =
                {
                    .coordinates = "phi",
                    .parameters = "m=1.5 r=0.5 I0=0.25 g=9.75 R0=1.5 B=0.25 w=1.75",
                    .lagrangian = "(m*r^2+I0)/2*((R0+r+B*sin(w*t))/"
                                  "r)^2*dot(phi)^2-m*r*g*((R0+r+B*sin(w*t))/r)*sin(phi)",
                    .forces = {"phi: I0*((R0+r+B*sin(w*t))/r)*(B*w*cos(w*t)/r)*dot(phi)"},
                },
            .t = 0.0,
            .q = {-1.25},
            .v = {0.5},
            .p = {5.0},
            .vdot = {-1.0973179100061607},
        },
        {
            .id = "disc-variable-circle-unbalanced",
            .sketch =
                {
                    .coordinates = "phi psi",
                    .parameters = "m=1.5 r=0.5 I0=0.25 g=9.75 R0=1.5 B=0.25 w=1.75 c=0.125",
                    .lagrangian =
                        "1/"
                        "2*(m*(R0+r+B*sin(w*t))^2*dot(phi)^2+I0*dot(psi)^2)-m*g*(R0+r+B*sin(w*t))*"
                        "sin(phi)+c*m*dot(psi)*(R0+r+B*sin(w*t))*dot(phi)*cos(phi-psi)+c*m*dot(psi)"
                        "*B*w*cos(w*t)*sin(phi-psi)-m*g*c*sin(psi)+m/2*(B*w*cos(w*t))^2",
                    .constraints = {"r*dot(psi)-(R0+r+B*sin(w*t))*dot(phi)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {-1.25, 0.5},
            .v = {0.5, 2.0},
            .p = {2.8663154582628807, 0.3858612673612176},
            .vdot = {-1.7110764814326753, -6.406805925730701},
            .lambda = {0.3892566258776824},
        },
        {
            .id = "example-2-1-contact",
            .sketch =
                {
                    .coordinates = "x y",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2)-x^2/2-y^2/4",
                    .constraints = {"dot(x)-(cos(t)+y*x/2)*dot(y)-sin(x)*y"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.5, 0.25},
            .v = {0.9167313846510508, 0.75},
            .p = {0.9167313846510508, 0.75},
            .vdot = {0.04227474344679702, -0.7011669149122218},
            .lambda = {0.542274743446797},
        },
        {
            .id = "example-2-1-homogeneous-time-dependent",
            .sketch =
                {
                    .coordinates = "x y",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2)-x^2/2-y^2/4",
                    .constraints = {"dot(x)-(1+t/4)*dot(y)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.5, 0.25},
            .v = {0.75, 0.75},
            .p = {0.75, 0.75},
            .vdot = {-0.21875, -0.40625},
            .lambda = {0.28125},
        },
        {
            .id = "example-2-1-integrable",
            .sketch =
                {
                    .coordinates = "x y",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2)-x^2/2-y^2/4",
                    .constraints = {"dot(x)-(2*y*t+cos(y))*dot(y)-y^2"},
                },
            .kinds = {CONSTRAINT_AFFINE},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.5, 0.25},
            .v = {0.7891843162829836, 0.75},
            .p = {0.7891843162829836, 0.75},
            .vdot = {0.010483634794869764, -0.6196139348327496},
            .lambda = {0.5104836347948698},
        },
        {
            .id = "knife-edge-inclined-plane-rest",
            .sketch =
                {
                    .coordinates = "x y phi",
                    .parameters = "m=1.5 J=0.5 g=9.8125 alpha=0.5",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)+J/2*dot(phi)^2+m*g*sin(alpha)*x",
                    .constraints = {"dot(x)*sin(phi)-dot(y)*cos(phi)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.0, 0.0, 0.0},
            .v = {0.0, 0.0, 1.25},
            .p = {0.0, 0.0, 0.625},
            .vdot = {4.704363097553742, 0.0, 0.0},
            .lambda = {0.0},
        },
        {
            .id = "knife-edge-inclined-plane",
            .sketch =
                {
                    .coordinates = "x y phi",
                    .parameters = "m=1.5 J=0.5 g=9.8125 alpha=0.5",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)+J/2*dot(phi)^2+m*g*sin(alpha)*x",
                    .constraints = {"dot(x)*sin(phi)-dot(y)*cos(phi)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.5, 0.25, 0.25},
            .v = {0.5, 0.12767096061051814, 1.25},
            .p = {0.75, 0.1915064409157772, 0.625},
            .vdot = {4.256826357620595, 1.7526959059172198, 0.0},
            .lambda = {-2.7133967941438626},
        },
        {
            .id = "marle-servomechanism",
            .sketch =
                {
                    .coordinates = "x th",
                    .parameters = "m=1.0 l=0.5 J=0.75 g=2.0 k1=-0.25 k2=0.25 k3=0.125",
                    .lagrangian =
                        "m/2*(dot(x)^2-2*l*dot(x)*dot(th)*sin(th))+J/2*dot(th)^2-m*g*l*sin(th)",
                    .constraints = {"dot(x)-(k1*x+k2*dot(th)+k3*dot(th)^2*cos(th))"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, -1.25},
            .v = {0.07235382382485214, 0.5},
            .p = {0.3095999786637487, 0.40933133298067426},
            .vdot = {-0.08196486437358566, -0.27194241069181146},
            .lambda = {-0.25041474222149884},
        },
        {
            .id = "mobile-robot-fixed-orientation",
            .sketch =
                {
                    .coordinates = "x y theta psi",
                    .parameters = "m=3.0 J=0.75 Jw=0.25 R=0.5",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)+J/2*dot(theta)^2+3/2*Jw*dot(psi)^2",
                    .constraints = {"dot(x)-R*cos(theta)*dot(psi)", "dot(y)-R*sin(theta)*dot(psi)"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.0, 0.5, 0.5, 0.25},
            .v = {0.7678847416540762, 0.41949734627867763, -0.625, 1.75},
            .p = {2.3036542249622283, 1.258492038836033, -0.46875, 1.3125},
            .vdot = {0.2621858414241735, -0.4799279635337976, 0.0, 4.1486768519074276e-61},
            .lambda = {0.7865575242725206, -1.4397838906013927},
        },
        {
            .id = "nonholonomic-particle",
            .sketch =
                {
                    .coordinates = "x y z",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2+dot(z)^2)",
                    .constraints = {"dot(z)+x*dot(y)"},
                },
            .kinds = {CONSTRAINT_LINEAR},
            .time_dependent = {false},
            .t = 0.0,
            .q = {0.25, 0.5, -0.25},
            .v = {0.5, 1.25, -0.3125},
            .p = {0.5, 1.25, -0.3125},
            .vdot = {0.0, -0.14705882352941177, -0.5882352941176471},
            .lambda = {-0.5882352941176471},
        },
        {
            .id = "particle-fixed-frame",
            .sketch =
                {
                    .coordinates = "x y",
                    .parameters = "k=1.5",
                    .lagrangian = "1/2*(dot(x)^2+dot(y)^2)-k/2*(x^2+y^2/2)+cos(t)*x",
                },
            .t = 0.5,
            .q = {0.75, -0.5},
            .v = {0.25, 0.5},
            .p = {0.25, 0.5},
            .vdot = {-0.24741743810962727, 0.375},
        },
        {
            .id = "particle-moving-frame-shifted-clock",
            .sketch =
                {
                    .coordinates = "x y",
                    .parameters = "k=1.5 W=0.625 u=0.25 s=0.5",
                    .lagrangian =
                        "1/"
                        "2*((u+(dot(x)-W*y)*cos(W*(t+s))-(dot(y)+W*x)*sin(W*(t+s)))^2+((dot(x)-W*y)"
                        "*sin(W*(t+s))+(dot(y)+W*x)*cos(W*(t+s))-(t+s)/2)^2)-k/"
                        "2*((u*(t+s)+x*cos(W*(t+s))-y*sin(W*(t+s)))^2+(x*sin(W*(t+s))+y*cos(W*(t+s)"
                        ")-(t+s)^2/4)^2/2)+cos((t+s))*(u*(t+s)+x*cos(W*(t+s))-y*sin(W*(t+s)))",
                },
            .t = 0.0,
            .q = {0.460225617401191, -0.6084600488838133},
            .v = {-0.1497086446170977, 0.4260349501603848},
            .p = {0.3916112443022335, 0.3989243453789909},
            .vdot = {0.7458935158623408, 0.8581437033719903},
        },
        {
            .id = "pendulum-variable-length",
            .sketch =
                {
                    .coordinates = "phi",
                    .parameters = "m=1.5 g=9.75 l0=2.0 B=0.25 w=1.75",
                    .lagrangian = "m/2*(l0+B*sin(w*t))^2*dot(phi)^2-m*g*(l0+B*sin(w*t))*sin(phi)",
                },
            .t = 0.0,
            .q = {-1.25},
            .v = {0.5},
            .p = {3.0},
            .vdot = {-1.7559465166769348},
        },
        {
            .id = "rheonomic-circle-external",
            .sketch =
                {
                    .coordinates = "x y",
                    .parameters = "m=1.25 g=2.0 R0=1.25 B=0.25 w=1.5",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)-m*g*y",
                    .constraints = {"x^2+y^2-(R0+B*sin(w*t))^2"},
                },
            .kinds = {CONSTRAINT_HOLONOMIC},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.75, -1.0},
            .v = {0.5, -0.09375},
            .p = {0.625, -0.1171875},
            .vdot = {-1.01671875, -0.644375},
            .lambda = {-0.847265625},
        },
        {
            .id = "rheonomic-circle-intrinsic",
            .sketch =
                {
                    .coordinates = "th",
                    .parameters = "m=1.25 g=2.0 R0=1.25 B=0.25 w=1.5",
                    .lagrangian = "m/"
                                  "2*((R0+B*sin(w*t))^2*dot(th)^2+(B*w*cos(w*t))^2)+m*g*(R0+B*sin("
                                  "w*t))*cos(th)",
                },
            .t = 0.0,
            .q = {0.6435011087932844},
            .v = {0.275},
            .p = {0.537109375},
            .vdot = {-1.125},
        },
        {
            .id = "rheonomic-pendulum-external",
            .sketch =
                {
                    .coordinates = "x y",
                    .parameters = "m=1.5 g=9.75 l=1.25 A=0.25 w=2.25",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)-m*g*y",
                    .constraints = {"(x-A*sin(w*t))^2+(y-A*cos(2*w*t))^2-l^2"},
                },
            .kinds = {CONSTRAINT_HOLONOMIC},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.75, -0.75},
            .v = {0.5, -0.046875},
            .p = {0.75, -0.0703125},
            .vdot = {-2.2529296875, -6.74609375},
            .lambda = {-2.2529296875},
        },
        {
            .id = "rheonomic-pendulum-intrinsic",
            .sketch =
                {
                    .coordinates = "th",
                    .parameters = "m=1.5 g=9.75 l=1.25 A=0.25 w=2.25",
                    .lagrangian = "m/"
                                  "2*((A*w*cos(w*t)+l*cos(th)*dot(th))^2+(-2*A*w*sin(2*w*t)+l*sin("
                                  "th)*dot(th))^2)-m*g*(A*cos(2*w*t)-l*cos(th))",
                },
            .t = 0.0,
            .q = {0.6435011087932844},
            .v = {-0.0625},
            .p = {0.697265625},
            .vdot = {-2.25},
        },
        {
            .id = "riemannian-flow-curved",
            .sketch =
                {
                    .coordinates = "s u w",
                    .lagrangian =
                        "1/2*(1+cos(u)/2+sin(s)/4)^2*dot(s)^2+1/2*(dot(u)^2+sin(u)^2*dot(w)^2)",
                    .constraints = {"1/2*(1+cos(u)/2+sin(s)/4)^2*dot(s)^2+1/"
                                    "2*(dot(u)^2+sin(u)^2*dot(w)^2)-1/2*(1+sin(t)/2)"},
                },
            .kinds = {CONSTRAINT_NONLINEAR},
            .time_dependent = {true},
            .t = 0.0,
            .q = {0.25, 1.25, 0.5},
            .v = {0.6920902383744707, 0.25, 0.5},
            .p = {1.0292834785963225, 0.25, 0.45028590388673345},
            .vdot = {0.21252292351341004, -0.13985749912586906, 0.041931645686367855},
            .lambda = {0.25},
        },
        {
            .id = "sphere-in-rotating-cylinder-gamma",
            .sketch =
                {
                    .coordinates = "z gamma phi psi theta",
                    .parameters = "a=0.5 r=1.25 I0=0.125 W=0.75 g=1.5 b=0.625",
                    .lagrangian = "1/2*(r^2*dot(gamma)^2+dot(z)^2)+I0/"
                                  "2*(dot(theta)^2+dot(phi)^2+dot(psi)^2+2*dot(phi)*dot(psi)*cos("
                                  "theta))-g*z-b*cos(gamma)",
                    .constraints =
                        {"r*dot(gamma)+a*(dot(phi)+dot(psi)*cos(theta))-(r+a)*W",
                         "dot(z)+a*(dot(psi)*sin(theta)*cos(gamma-phi)+dot(theta)*sin(gamma-phi))"},
                },
            .kinds = {CONSTRAINT_AFFINE, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.875, -0.75, 0.0, -0.625, 1.25},
            .v = {-0.004771021009353068, 0.8054032912814194, 0.375, 0.75, 0.75},
            .p = {-0.004771021009353068, 1.2584426426272177, 0.07643647147455644,
                  0.10853073573727821, 0.09375},
            .vdot = {-1.1387864476186884, -0.18177033600622244, 0.6024386819707411,
                     1.2234812764364884, -1.2517705559890424},
            .lambda = {0.11360646000388903, 0.36121355238131164},
        },
        {
            .id = "sphere-in-rotating-cylinder-gravity",
            .sketch =
                {
                    .coordinates = "z gamma phi psi theta",
                    .parameters = "a=0.5 r=1.25 I0=0.125 W=0.75 g=1.5",
                    .lagrangian =
                        "1/2*(r^2*dot(gamma)^2+dot(z)^2)+I0/"
                        "2*(dot(theta)^2+dot(phi)^2+dot(psi)^2+2*dot(phi)*dot(psi)*cos(theta))-g*z",
                    .constraints =
                        {"r*dot(gamma)+a*(dot(phi)+dot(psi)*cos(theta))-(r+a)*W",
                         "dot(z)+a*(dot(psi)*sin(theta)*cos(gamma-phi)+dot(theta)*sin(gamma-phi))"},
                },
            .kinds = {CONSTRAINT_AFFINE, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.875, -0.75, 0.0, -0.625, 1.25},
            .v = {-0.004771021009353068, 0.8054032912814194, 0.375, 0.75, 0.75},
            .p = {-0.004771021009353068, 1.2584426426272177, 0.07643647147455644,
                  0.10853073573727821, 0.09375},
            .vdot = {-1.1387864476186884, 0.0, 0.148012841955185, 1.2234812764364884,
                     -1.2517705559890424},
            .lambda = {0.0, 0.36121355238131164},
        },
        {
            .id = "sphere-on-rotating-plane-moving-frame",
            .sketch =
                {
                    .coordinates = "x y phi psi theta",
                    .parameters = "m=1.5 a=0.5 I0=0.25 W=0.75",
                    .lagrangian = "m/2*((dot(x)-W*y)^2+(dot(y)+W*x)^2)+I0/"
                                  "2*(dot(theta)^2+(dot(phi)+W)^2+dot(psi)^2+2*(dot(phi)+W)*dot("
                                  "psi)*cos(theta))",
                    .constraints =
                        {"dot(x)-a*((dot(theta)*sin(phi)-dot(psi)*cos(phi)*sin(theta)))",
                         "dot(y)+a*((dot(theta)*cos(phi)+dot(psi)*sin(phi)*sin(theta)))"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {-0.75, 0.0, -0.625, 0.875, 1.25},
            .v = {-0.5080083000808275, -0.09589305249668321, -0.375, 0.75, 0.75},
            .p = {-0.7620124501212413, -0.9875895787450248, 0.15287294294911288,
                  0.21706147147455643, 0.1875},
            .vdot = {-0.36819666299601983, 0.6096099600969931, 0.2507297405504621,
                     0.8977292497961527, -0.29097873880016},
            .lambda = {0.29627687362350746, -0.2286037350363724},
        },
        {
            .id = "sphere-on-rotating-plane",
            .sketch =
                {
                    .coordinates = "x y phi psi theta",
                    .parameters = "m=1.5 a=0.5 I0=0.25 W=0.75",
                    .lagrangian =
                        "m/2*(dot(x)^2+dot(y)^2)+I0/"
                        "2*(dot(theta)^2+dot(phi)^2+dot(psi)^2+2*dot(phi)*dot(psi)*cos(theta))",
                    .constraints =
                        {"dot(x)-a*((dot(theta)*sin(phi)-dot(psi)*cos(phi)*sin(theta)))+W*y",
                         "dot(y)+a*((dot(theta)*cos(phi)+dot(psi)*sin(phi)*sin(theta)))-W*x"},
                },
            .kinds = {CONSTRAINT_AFFINE, CONSTRAINT_AFFINE},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {-0.75, 0.0, -0.625, 0.875, 1.25},
            .v = {-0.5080083000808275, -0.6583930524966832, 0.375, 0.75, 0.75},
            .p = {-0.7620124501212413, -0.9875895787450248, 0.15287294294911288,
                  0.21706147147455643, 0.1875},
            .vdot = {0.19751791574900496, -0.15240249002424827, 0.2507297405504621,
                     0.8977292497961527, -0.29097873880016},
            .lambda = {0.29627687362350746, -0.2286037350363724},
        },
        {
            .id = "sphere-on-table-variable-speed-moving-frame",
            .sketch =
                {
                    .coordinates = "x y phi psi theta",
                    .parameters = "m=1.5 a=0.5 I0=0.25 W0=0.5 B=0.375 nu=1.25",
                    .lagrangian =
                        "m/2*((dot(x)-(W0+B*sin(nu*t))*y)^2+(dot(y)+(W0+B*sin(nu*t))*x)^2)+I0/"
                        "2*(dot(theta)^2+(dot(phi)+(W0+B*sin(nu*t)))^2+dot(psi)^2+2*(dot(phi)+(W0+"
                        "B*sin(nu*t)))*dot(psi)*cos(theta))",
                    .constraints =
                        {"dot(x)-a*((dot(theta)*sin(phi)-dot(psi)*cos(phi)*sin(theta)))",
                         "dot(y)+a*((dot(theta)*cos(phi)+dot(psi)*sin(phi)*sin(theta)))"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {-0.25, -0.625, 0.875, -1.0, 1.5},
            .v = {-0.15984778811171674, -0.1914051988702387, -0.375, 0.5, 0.0},
            .p = {0.2289783178324249, -0.47460779830535804, 0.040092150208462865,
                  0.12721053755211573, 0.0},
            .vdot = {-0.36640540909619096, 0.1044407304893734, -0.4906913240040173,
                     0.310180831114715, -0.509326232099511},
            .lambda = {0.27070280966107163, -0.024516836433515023},
        },
        {
            .id = "sphere-on-table-variable-speed",
            .sketch =
                {
                    .coordinates = "x y phi psi theta",
                    .parameters = "m=1.5 a=0.5 I0=0.25 W0=0.5 B=0.375 nu=1.25",
                    .lagrangian =
                        "m/2*(dot(x)^2+dot(y)^2)+I0/"
                        "2*(dot(theta)^2+dot(phi)^2+dot(psi)^2+2*dot(phi)*dot(psi)*cos(theta))",
                    .constraints = {"dot(x)-a*((dot(theta)*sin(phi)-dot(psi)*cos(phi)*sin(theta)))+"
                                    "(W0+B*sin(nu*t))*y",
                                    "dot(y)+a*((dot(theta)*cos(phi)+dot(psi)*sin(phi)*sin(theta)))-"
                                    "(W0+B*sin(nu*t))*x"},
                },
            .kinds = {CONSTRAINT_AFFINE, CONSTRAINT_AFFINE},
            .time_dependent = {true, true},
            .t = 0.0,
            .q = {-0.25, -0.625, 0.875, -1.0, 1.5},
            .v = {0.15265221188828326, -0.3164051988702387, 0.125, 0.5, 0.0},
            .p = {0.2289783178324249, -0.47460779830535804, 0.040092150208462865,
                  0.12721053755211573, 0.0},
            .vdot = {0.18046853977404775, -0.01634455762234335, -0.021941324004017295,
                     0.310180831114715, -0.509326232099511},
            .lambda = {0.27070280966107163, -0.024516836433515023},
        },
        {
            .id = "two-wheeled-carriage-generic",
            .sketch =
                {
                    .coordinates = "psi1 psi2 x y theta",
                    .parameters = "m=3.0 m0=2.0 J=2.0 J2=0.5 R=1.0 c=0.5 l=0.75",
                    .lagrangian = "m/"
                                  "2*(dot(x)^2+dot(y)^2)+m0*l*dot(theta)*(cos(theta)*dot(y)-sin("
                                  "theta)*dot(x))+J/2*dot(theta)^2+J2/2*(dot(psi1)^2+dot(psi2)^2)",
                    .constraints = {"dot(x)+R/2*cos(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(y)+R/2*sin(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(theta)-R/(2*c)*(dot(psi2)-dot(psi1))"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false, false},
            .t = 0.0,
            .q = {0.125, -0.25, 0.5, -0.5, 0.375},
            .v = {0.75, -0.5, -0.11631345273903929, -0.045784066135755946, -1.25},
            .p = {0.375, -0.25, 0.33782063381922134, -1.8820539894928572, -2.5},
            .vdot = {-0.5338541666666666, -0.6380208333333334, 0.4879892270445517,
                     0.3600046259351551, -0.10416666666666667},
            .lambda = {-0.6596794750536366, 0.07617082183624223, 0.026041666666666668},
        },
        {
            .id = "two-wheeled-carriage-l0",
            .sketch =
                {
                    .coordinates = "psi1 psi2 x y theta",
                    .parameters = "m=3.0 m0=2.0 J=2.0 J2=0.5 R=1.0 c=0.5 l=0.0",
                    .lagrangian = "m/"
                                  "2*(dot(x)^2+dot(y)^2)+m0*l*dot(theta)*(cos(theta)*dot(y)-sin("
                                  "theta)*dot(x))+J/2*dot(theta)^2+J2/2*(dot(psi1)^2+dot(psi2)^2)",
                    .constraints = {"dot(x)+R/2*cos(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(y)+R/2*sin(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(theta)-R/(2*c)*(dot(psi2)-dot(psi1))"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false, false},
            .t = 0.0,
            .q = {0.125, -0.25, 0.5, -0.5, 0.375},
            .v = {0.75, -0.5, -0.11631345273903929, -0.045784066135755946, -1.25},
            .p = {0.375, -0.25, -0.3489403582171179, -0.13735219840726784, -2.5},
            .vdot = {-4.179852434384172e-62, -4.179852434384172e-62, -0.05723008266969493,
                     0.1453918159237991, 0.0},
            .lambda = {-0.17169024800908478, 0.43617544777139733, 0.0},
        },
        {
            .id = "two-wheeled-carriage-special",
            .sketch =
                {
                    .coordinates = "psi1 psi2 x y theta",
                    .parameters = "m=3.0 m0=2.0 J=2.0 J2=0.5 R=1.0 c=0.5 l=1.5",
                    .lagrangian = "m/"
                                  "2*(dot(x)^2+dot(y)^2)+m0*l*dot(theta)*(cos(theta)*dot(y)-sin("
                                  "theta)*dot(x))+J/2*dot(theta)^2+J2/2*(dot(psi1)^2+dot(psi2)^2)",
                    .constraints = {"dot(x)+R/2*cos(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(y)+R/2*sin(theta)*(dot(psi1)+dot(psi2))",
                                    "dot(theta)-R/(2*c)*(dot(psi2)-dot(psi1))"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false, false},
            .t = 0.0,
            .q = {0.125, -0.25, 0.5, -0.5, 0.375},
            .v = {0.75, -0.5, -0.11631345273903929, -0.045784066135755946, -1.25},
            .p = {0.375, -0.25, 1.0245816258555605, -3.6267557805784465, -2.5},
            .vdot = {-1.0677083333333333, -1.2760416666666667, 1.0332085367587984,
                     0.574617435946511, -0.20833333333333334},
            .lambda = {-1.0332085367587984, -0.574617435946511, 0.052083333333333336},
        },
        {
            .id = "vertical-rolling-disk",
            .sketch =
                {
                    .coordinates = "x y theta phi",
                    .parameters = "m=2.0 Iw=0.75 J=0.5 R=0.5",
                    .lagrangian = "m/2*(dot(x)^2+dot(y)^2)+Iw/2*dot(theta)^2+J/2*dot(phi)^2",
                    .constraints = {"dot(x)-R*cos(phi)*dot(theta)", "dot(y)-R*sin(phi)*dot(theta)"},
                },
            .kinds = {CONSTRAINT_LINEAR, CONSTRAINT_LINEAR},
            .time_dependent = {false, false},
            .t = 0.0,
            .q = {0.5, -0.25, 0.125, 0.25},
            .v = {0.7266843162829836, 0.1855529694408922, 1.5, 0.75},
            .p = {1.4533686325659672, 0.3711059388817844, 1.125, 0.375},
            .vdot = {-0.13916472708066915, 0.5450132372122377, 0.0, 0.0},
            .lambda = {-0.2783294541613383, 1.0900264744244754},
        },
};

const size_t N_REFERENCES = sizeof REFERENCES / sizeof *REFERENCES;
