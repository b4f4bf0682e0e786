/**
 * One recorded movement per genre, 60 s in frames of 40 ms, frozen. They were generated and then chosen so that the paper's settings give the
 * paper's data rate and mean error (docs/decisions/0011-the-papers-ships.md says how); since then nothing about them may change.
 */

import type { GenreName } from "@nearfield/presentation/internal";

const SPORT = `
br1 fr4 br2 b1 r1 b1 r1 b1 r1 b1 r2 b1 r3 b1 r1 b1 r1 b1 bl3 br1 bl3 br1 bl3 br1 bl1 br1 bl1 l12 fl11 f1 l1 f1 l1
f1 l1 f2 l2 b2 r2 b2 r1 b1 br9 r1 f1 r1 f1 r1 f3 r2 f1 r1 f1 r1 f1 fr1 fl1 fr1 fl1 fr2 fl1 fr1 fl2 fr1 fl1 f1 l2
f1 l1 f1 l1 f1 l1 fl1 bl1 fl3 bl2 fl1 bl1 fl3 bl2 br2 bl1 br1 bl1 br1 bl1 br2 bl1 br2 bl1 br3 b2 r1 b2 r2 b1 r12
l1 b1 l1 b2 l3 b2 l1 b2 l2 b1 l1 b1 bl2 br1 bl1 br1 bl1 br1 l3 b2 l2 b2 r2 b1 r1 b1 r1 b1 r1 b1 r1 b1 r1 b1 r1
bl1 br1 bl1 br1 bl1 br1 bl1 br1 bl1 br1 bl1 l1 b1 l1 b2 l1 b2 l1 b1 l2 b1 l1 b1 l1 b1 fl13 l1 b1 l1 b2 l1 b1 l1
bl13 l1 b2 l1 b3 l3 b2 fl2 bl1 fl1 bl1 fl1 bl1 fl1 bl1 fl1 bl5 l1 b2 l1 b1 l3 b1 bl4 br1 bl1 br1 bl1 br1 fr1 fl1
fr1 fl2 fr1 fl1 fr1 fl5 fr1 f1 l1 f4 l1 f1 l2 f1 fr3 fl1 fr1 fl1 fr1 fl1 fr1 fl1 fr1 r15 .2 fr7 f1 l1 f1 l1 f1 l2
f1 l1 f1 l1 f1 fl8 .2 l1 b1 l2 b1 l1 b1 l1 b3 l1 b1 l1 bl2 br2 bl2 br1 bl1 br3 bl1 br3 bl2 fr1 fl1 fr1 fl1 fr2
fl1 fr1 fl1 fr1 fl3 fr1 fl2 r3 f2 r1 f1 r2 f3 r1 f1 r1 f2 fr1 fl2 fr1 fl1 fr2 fl4 bl1 fl1 bl1 fl2 bl1 fl1 bl1 l1
b1 l1 b1 l2 b1 fl1 bl2 fl1 bl1 fl1 bl1 fl2 .2 l1 b1 l1 b1 l1 b2 l4 b1 l2 b1 l1 fl1 bl2 fl2 bl1 l1 b1 l2 b1 l1 b1
l1 b2 l1 b2 l1 fl1 bl1 fl1 bl2 fl2 bl1 fl1 bl2 fl1 bl1 f1 l1 f1 l1 f4 l3 f1 l1 f1 .2 fr1 fl1 fr1 fl2 fr1 fl2 fr1
fl2 fr2 fl1 fr1 r1 f2 r1 f1 r1 f1 r2 f1 r3 f4 r1 f1 l1 f1 l1 f1 l1 f4 b10 .2 bl1 br1 bl3 br1 b1 r1 b1 r3 b1 r1 b1
r1 f2 r4 f1 r2 f2 r1 f1 r1 f1 br2 fr1 br1 fr1 br1 r1 f2 r2 f1 r1 f1 r1 f1 fr1 fl1 fr1 fl2 fr2 fl2 fr1 fl1 fr1 fl2
r1 f1 r1 f1 r3 f1 r1 f3 r1 f1 fr1 fl1 fr1 fl1 fr1 fl1 fr1 fl2 r2 f2 r1 f4 br1 fr1 br1 fr1 br1 fr2 br1 fr1 br1 fr1
br1 fr2 fl2 fr1 fl2 fr1 fl1 .2 fl1 bl1 fl2 bl1 fl1 bl1 fl1 f2 l1 f1 l1 f2 l1 f1 fr1 fl2 fr1 fl1 fr1 fl1 fr1 fl1
fr1 fl1 fr1 fl1 fr1 fl1 r1 f1 r2 f1 r1 f1 r1 f1 .2 fr2 fl1 fr1 fl1 fr1 fl1 fr3 fl1 r1 f1 r2 f1 r1 f2 r1 f1 r2 f1
r1 f2 fr1 fl2 fr2 fl1 fr1 fl1 fr1 fl2 r1 f2 r3 f2 r1 f1 r1 br3 fr1 br1 fr1 br1 b2 r1 b1 r1 b1 r3 br1 fr1 br1 fr1
br1 fr1 br3 fr1 br1 fr1 br1 fl1 bl1 fl1 bl1 fl1 bl1 fl3 bl1 fl1 bl2 .2 l1 b3 l1 b2 fl1 bl4 fl1 bl1 fl1 bl1 fl1
bl2 fl1 bl2 fl1 bl1 f7 b1 r1 b1 r2 b1 r1 b1 r1 b2 br1 fr2 br2 fr1 br1 fr2 fl1 fr1 fl1 fr2 fl2 fr1 r2 f1 r1 f1 r1
f1 fr2 fl1 fr3 fl1 fr1 fl1 fr2 fl1 fr1 fl1 r1 f1 r1 f4 r2 fr1 fl2 fr1 fl3 fr2 fl2 fr1 fl2 fr1 fl1 fr1 f1 l1 f3 l3
fl12 l2 b1 l1 b1 l1 b2 l1 b2 l1 b1 l1 b1 l1 r11 fr1 fl1 fr1 fl1 fr1 fl3 r1 f1 r1 f1 r4 fr1 fl1 fr1 fl1 fr1 fl1
fr1 fl1 fr1 fl1 fr1 fl2 fr2 .2 f2 l2 f1 l1 fr2 fl1 fr1 fl2 fr1 fl1 fr1 fl1 fr2 r16 br1 fr1 br2 fr1 br1 fr4 br2
fr1 br1 r13 fr1 fl2 fr1 fl3 fr1 fl2 fr1 fl2 fr2 bl11 l1 b1 l2 b1 l2 b4 l1 bl3 br1 bl3 br1 bl2 br1 bl1 br1 bl1 br1
bl1 br2 .2 b3 r1 b1 r1 b1 r2 br1 fr1 br1 fr1 br1 fr1 br2 fr1 br1 fr1 r2 f1 r1 f2 r2 f1 r1 f1 r1 f1 r1 f1 br1 fr2
br3 fr3 br1 fr2 br3 b1 r1 b1 r1 b1 r5 b1 br2 fr1 br2 fr1 br2 fr1 br2 r2 f1 r1 f1 r1 f1 r1 br1 fr1 br1 fr2 br1 fr1
br1 fr1 br1 fr4 br2 r1 f1 r1 f1 r2 f2 r1 f1 r2 f1 r1 f1 r1 br1 fr1 br2 fr3 br1 b1 r2 b2 r4 b1 r2 b1 r1 bl1 br3
bl1 br1 bl1 br5 bl2 br1 l3 b1 l2 b1 l2 b3 l1 b2 fl16 l2 b1 l1 b2 l2 b2 l1 b4 l1 b1 l1 .2 fl1 bl1 fl2 bl1 fl1 bl1
fl1 bl1 fl1 bl1 fl1 bl1 fl1 bl2 f2 l1 f4 l1 f3 l1 f1 l2 f1 l2 fl1 bl1 fl2 bl1 fl1 bl2 fl3 bl1 fl1 bl3 f7 fl1 bl1
fl1 bl1 fl2 bl1 fl1 l1 b2 l1 b1 l1 b2 l1 b2 l1 bl2 br1 bl1 br2 bl1 br1 bl1 br1 bl2 b1 r1 b1 r1 b3 r1 bl3 br1 bl1
br1 bl1 br1 .2 l2
`;

const SIMULATION = `
fl2 f1 fl3 f2 fl2 f2 fl3 f1 fl2 fr1 f1 fr3 f2 fr3 f2 fr3 f2 fr2 f2 fl3 f2 fl2 f1 fl3 f1 fl3 f1 fl2 f1 fl3 f2 fl2
f1 fl2 l1 .1 l2 .1 l2 .1 l2 .1 l3 .1 l3 f1 fl2 f1 fl2 f2 fl2 f3 .9 l2 .2 l2 .1 l1 fl1 f1 fl3 f2 fl3 f1 fl3 f2 fl1
l2 .2 l3 .1 l3 .1 l3 .1 l2 .2 l3 .1 r2 fr1 f1 fr2 f2 fr2 f1 fr3 f1 fr2 f1 fr2 fl1 f2 fl2 f2 fl3 f2 fl3 f2 fl2 f2
fl2 f2 fl3 f1 fl3 f1 fl3 f2 fl3 f1 fr2 f2 fr3 f1 .1 r2 .1 r3 .2 r2 .2 r2 .2 r3 .1 l2 .2 l2 .2 l3 .1 l3 .2 r3 .1
r3 .1 r3 .1 fr3 f1 fr2 f2 fl2 f1 fl3 f1 fl3 f1 fl2 f2 fl3 f1 fl1 l2 .2 l2 .1 r3 .2 r3 .2 r2 .2 r2 .2 r1 fr1 f1
fr3 f1 fr3 f1 fr3 f2 fr3 f1 fr3 f2 fr3 f1 fr2 f11 .7 r1 .1 r2 .2 r3 .2 r2 .2 r3 .2 r3 .2 l1 fl1 f1 fl3 f1 fl2 f1
fl3 f3 .8 l2 .1 l3 .2 l2 .1 f1 fl2 f1 fl2 f2 fl2 f1 fl3 f2 fl3 f2 fr2 f2 fr3 f1 fr2 f1 r3 .1 r3 .1 r1 l1 .1 l2 .2
l1 fl2 f2 fl2 f1 fl3 f1 fl2 f2 fl3 f2 l2 .6 f3 fl1 f2 fl3 f2 fl2 f1 fl3 .2 l3 .2 l2 .1 l3 .2 fr2 f2 fr2 f1 fr3 f2
fr2 f2 fr2 f2 fr2 f2 fr2 f2 fr1 fl2 f1 fl2 f1 fl3 f1 fl2 f1 fl2 f2 fl2 f1 fl2 f1 fl2 f1 fl2 f2 fl2 f1 fl2 f2 fl2
f2 fl3 f1 fl2 .2 l2 .2 l2 .2 l3 .2 l2 r1 .1 r2 .1 fr2 f1 fr3 f2 fr3 f2 fr2 f1 fr2 f2 fr3 f1 fr2 f2 fr3 f1 fr2 f2
fr2 f1 fr3 f2 fr2 f2 fr1 f13 fr2 f1 fr3 f2 fr2 f1 l3 .2 l2 .2 l2 .2 l2 r1 .2 r2 .2 r3 .2 r3 .2 r1 l2 .1 l3 .1 f1
fl3 f2 fl3 f1 fl1 l2 .2 l2 .1 l3 .1 l3 f1 fl3 f1 fl3 f2 fl3 f1 fl2 f1 l2 .1 l1 fl1 f1 fl3 f2 fl2 f2 fl3 f1 fl3 f1
fl3 f2 fl2 f2 fl2 f2 fl3 f2 fl1 l1 .2 l2 .1 l3 .1 l2 .1 l2 .2 l2 .2 fl3 f1 fl2 f1 fl3 f2 fl3 f1 fl2 f1 fl2 f2 fl2
f2 fl2 f1 fr2 f1 fr2 f2 fr3 f2 fr2 .1 r3 .1 r3 .1 r3 .2 r3 .2 r2 .2 r2 .1 fl2 f2 fl3 f1 fl3 f2 fr2 f2 fr2 f2 fr3
f2 fr2 .2 r3 .2 r2 .1 r3 .1 r3 .1 r3 .2 r2 .1 fr3 f2 fr2 f2 fr3 f1 fr2 f2 fr3 f1 fr1 fl2 f1 fl3 f2 fl2 f2 fl1 fr2
f2 fr2 f2 fr3 f1 r3 .2 r3 .2 r3 .1 r2 .1 r2 .2 r2 .2 l2 fl1 f2 fl2 f2 fl2 f1 fl2 f2 fl2 f2 fl2 f2 fl2 f1 l2 .2 l3
.1 fl2 f1 fl2 f2 fl3 f2 fl2 f1 fl2 .2 l3 .1 l2 .1 l1 fl1 f2 fl2 f1 fl2 f1 fl2 f2 fl3 f1 fl2 f1 fl2 fr1 f1 fr3 f2
fr3 f2 fr2 f2 fr3 f2 fr2 f1 fr3 f2 fr2 f1 fr3 f1 fr2 f1 fr3 f2 fr2 f2 fr2 f1 fr3 f1 fr3 f2 fl3 f1 fl3 f2 fl3 f2
l3 .2 l1 r1 .2 r2 fr1 f2 fr2 f1 fr3 f1 fr2 f2 fr2 fl1 f2 l3 .2 r2 .2 r3 .2 r2 .2 r2 .1 r2 .2 l3 .1 l3 f2 fl3 f1
fr2 f2 fr2 f2 fr3 f1 fl2 f2 fl2 f2 fl2 f1 fl1 l1 .1 l2 f1 fl3 f1 fl2 f2 fl2 f1 fl2 f1 fl1 fr1 f1 fr2 f1 fr3 f2
fr3 f2 fr3 f1 fr2 f2 fr2 f2 fl2 f2 fl2 f1 fl3 f1 fr2 f1 fr2 f1 fr2 f2 fr3 f2 fr2 f2 fr3 f1 fr3 f1 fr3 f1 fr2 f1
fr2 .19 r3 .1 r2 .1 r3 .1 r1 fl2 f2 fl2 f2 fl3 f2 fl3 .1 l3 .2 l3 f2 fl2 f1 fl2 f1 fl3 f2 fl3 f2 fl2 f1 fl2 f1
fl2 f1 fl3 f2 fl2 f1 fl3 f1 fl2
`;

const SHOOTER = `
rq2 q2 rq2 q2 rq2 q1 rq1 q1 re1 e1 bre1 be2 bre2 bq1 brq2 bq1 brq1 bq1 fq1 frq1 fq1 fre2 fe1 fre1 fe2 frq1 fq2
frq2 fq1 bq1 brq1 bq2 brq1 bre1 be2 re2 e1 re2 e1 re1 e2 re1 e2 re2 q1 rq1 q1 rq1 lq1 q2 lq1 bq2 ble1 be1 ble1
be2 ble1 be1 ble1 be2 ble2 be2 ble1 be1 b1 bl2 .2 l1 .2 l1 .2 l1 r1 .1 r2 .1 r2 .2 r1 .1 r1 .1 l1 .1 lq2 q1 bq1
blq2 bq2 blq1 q1 lq2 q1 le2 e1 le2 e2 le2 fe1 fle1 fe2 fle1 fre1 fe2 fre1 fe2 frq1 fq1 frq2 fq2 frq2 fq2 brq1 bq1
brq1 bq1 brq2 bq2 bre2 be1 bre1 be1 e1 re2 e1 re1 e2 re2 e1 q1 lq2 bq2 blq2 bq1 blq2 bq2 ble1 be1 ble1 be2 ble2
be2 bre1 be2 bre2 be2 bre2 e2 rq1 q2 lq2 q2 lq1 q1 lq2 q1 lq1 q1 lq2 q2 le2 e2 fle2 fe2 fl1 f2 l2 .2 l1 .1 l1 lq1
q1 lq2 bq1 blq2 bq1 brq2 bq1 brq1 bq1 bre2 be2 re1 e2 re2 e1 re1 e2 re1 rq1 q2 rq1 frq1 fq2 frq1 fq2 frq2 fq2
frq1 fq1 flq1 q1 lq1 le1 e1 le2 fe1 fle1 fe1 fle2 fe1 fq1 flq1 fq1 flq1 fq1 q1 lq1 q1 lq1 q1 lq2 q1 lq1 blq1 bq1
bl2 b1 bl2 b1 bl1 b2 fl2 f1 fl1 f2 fl1 f1 fl1 f2 flq1 fq1 frq2 fq2 frq1 fq2 frq1 fq1 frq1 fq1 rq2 q1 re2 e2 re1
e2 re2 e1 rq1 q1 bq1 brq2 bq2 brq1 bq1 brq1 be2 bre2 e1 re1 e1 q1 rq2 q2 rq2 q2 rq1 q1 rq2 q2 rq2 q1 rq2 be1 bre2
be2 bre2 be1 ble1 be1 e1 lq1 q1 lq2 q2 l2 .2 bl2 b2 bl2 b2 bl1 b1 bl2 b2 bl2 bq2 blq1 bq1 blq1 bq2 brq2 bq1 q1
rq2 q2 rq2 q2 le1 e1 le2 e2 le1 e1 lq2 q1 lq1 q1 bq1 blq1 bq2 ble1 be2 ble1 be1 ble1 be1 ble2 be1 ble1 be2 bl1 b2
bl2 b1 l1 .2 l1 .1 l1 .1 lq2 q2 lq2 q1 lq1 q1 lq1 .1 l1 .1 r1 .1 r1 .1 rq1 q2 rq1 lq1 q1 le1 e1 le1 e2 le1 e1 le2
e2 re2 e2 re1 e2 re1 q2 rq2 q1 rq2 q2 rq1 q1 rq2 e2 re1 e1 re1 e2 re1 e1 re2 e2 re1 e2 rq2 q2 rq2 q1 l2 .2 l2 .1
q1 lq1 q2 lq2 bq2 blq1 bq1 brq1 bq1 brq2 be1 e1 re1 e2 re2 e1 fe1 fre2 fe2 fle1 fe2 flq1 fq2 lq1 q2 lq1 q2 lq2 q1
lq2 q1 brq2 bq1 be1 bre2 be1 bre1 be1 bre1 be1 bq1 brq1 bq1 rq2 q1 rq1 q2 rq2 q1 rq1 q2 rq1 q1 r2 .2 l1 .1 l2 .2
l1 .2 l1 .1 l2 f1 fq1 flq1 fq2 flq2 fq1 frq2 fq1 frq1 fq2 frq2 fe1 fre1 re1 e1 re1 e2 re1 e2 re1 e1 le2 e2 ble2
be1 ble1 brq1 bq2 brq1 bq2 brq2 bq1 blq1 be1 le2 e2 le1 e2 rq1 q2 rq1 q2 rq2 q1 rq2 q1 e1 re1 e2 le1 e1 le2 q2
lq2 q1 lq2 q2 lq1 le1 e2 le2 e2 le2 e1 le2 be1 ble2 be1 ble2 be2 blq1 fq2 flq2 fq2 flq2 fq2 fle1 fe2 le1 e1 le2
e2 re1 q2 rq1 q2 rq2 q2 lq2 e1 re2 e1 fe1 fre2 fq1 frq2 fq2 frq1 fq2 frq2 fq1 frq2 bq2 brq1 be2 bre2 be2 bre2 be1
brq2 fq1 frq1 fq1 frq2 fq2 frq1 flq1 fq2 flq2 bq1 ble2 be1 ble1 be1 fe1 fle1 fq1 flq1 frq1 fq2 frq2 fq1 frq1 fq2
rq1 q1 lq1 q1 e1 le2 e1 le1 e1 le1 fe1 fle1 fe1 fle1 flq1 fq2 flq1 fq1 flq2 q1 lq1 q1 e1 le1 e2 le1 e2 le2 e2
fle1 fe1 fle1 fe2 flq1 fq1 frq1 fq2 frq1 fr1 f2 fr1 f1 fr1 f1 flq1 fq1 bq1 blq2 bq1 blq1 bq1 ble1 be1 ble1 be1
fle2 fe2 fle1 fe1 le1 e2 le2 e1 le1 e1 lq2 q1 lq1 q2 lq2 q1 lq2 q2 lq1 q2 l1 bl1 b2 bl2 b1 bl1 fq2 flq1 fq1 flq2
fq1 flq2 fe1 le1 e2 le1 e1 le2 be2 blq1 bq1 blq1 bq2 blq1 bq2 blq1 bq1 blq2 bq1 lq2 e2 le2 e2 lq1 q1 lq2 q2 le1
e2 ble1 be1 ble2 be1 bq1 blq2 bq1 blq2 bq1 ble1 be2 ble1 be2 ble2 be1 bre1 bq1 q1 rq2 q2 rq1 re1 e2 re2 e1 re1 e1
re2 e2 re1 e1 q1 brq2 bq1 brq1 bq1 brq2 be1 bre1 be1 bre2 be2 brq2 bq2 brq2 bq2 brq1 bq2 brq1 bq1 be1 bre2 e2 re2
e1 re1 e1 re1 e2 re1 fe2 fre1 frq1 fq1 frq2 fq2 flq1 fq1 flq1 fq1 fe1 fle1 e2 le2 e2 le2 q2 lq1 q2 lq2 q1 lq1 q2
lq2 q1 lq1 q1 lq1 q1 lq1 q1 le2 e1 be1 ble1 be1 blq1 bq1 blq1 bq1 blq2 bq2 blq2 q1 le1 e1 le2 e2 lq1 q1 lq1 bq2
blq2 bq2 blq1 bq1 blq1 bl1 b2 br1 b1 r2 .2 r1 .1 q1 rq1 brq1 bq1 brq2 b2 br1 b2 bl1 b2 bl1 b2 bl1 b1 bl1 b2 bl1
f1 fl2 f1 fl1 f1 fl1 f1 fl1 .1 r2 .1 r2 .2 r2 .1 r1 q2 lq1 q2 lq2 q2 lq2 q1 lq1 q1 lq1 q1 e1 le1 e2 le2 e1 le1
re1 e2 re2 e2 re1 e2 re1 rq1 q2 rq1 q2 rq1 q1 rq2 q1 rq2 q2 re1 e2 re1 e1 re2 e1 re1 e2 re2 e1 re1 e2 le2 .2 l2
.2 l2 .1 l2 .1 l1 .2 lq1 q2 lq2 q1 lq1 q1 lq2 q1 lq1 q1 lq1 q1 lq1 le1 e2 re1 e2 re2 e2 re1 e2 re2 e1 lq2 q1 flq1
fq1 flq1 fq1 fl1 fr1 f2 fr2 f2 r1 rq1 q1 rq2 q1 rq2 q1 rq1 q1 bq1 brq1 bq2 brq1 bq2 brq1 q1 r2 .2 r1 .2 r1 .1 rq1
q1 fq1 frq1 fq1 frq1 fq1 frq1 fq1 frq2 fq2 frq2 q1 re2 e2 re1 e2 r1 .1 r1 br1 b2 br1 b1 br1 b2 br2 b1 br2 b1 .1
rq1 q2 rq1 q1 rq1 q2 lq2 q1 lq1 fq1 flq1 frq1 fe2 fre1 fe2 fre1 re1 q1 rq1 q2 rq1 q2 rq1 q1 rq2 q2 rq1 fq1 frq1
fq2 fre2 fe2 fre1 fe2
`;

const ARCADE = `
f8 l3 r3 l3 r5 .1 b9 l3 r9 f3 .1 f9 l3 r4 b3 f8 l8 f8 l8 b3 f8 r3 l3 .1 r8 b6 f6 l3 r3 b4 .1 r5 .1 f8 l4 f3 b8 l3
r5 b3 f5 l3 r3 l7 .1 r9 f3 b3 .1 b5 r3 l6 b6 r3 l3 r3 .1 l3 f4 l3 r3 l3 .1 r4 f7 l3 r3 .1 r5 b3 f3 b3 f5 l3 .1 l8
f3 b7 r3 l3 r3 l7 f3 b9 l3 r3 l3 .1 r6 f3 b12 l8 f3 b5 l3 r3 l3 f8 r3 b5 r6 b3 l5 b7 .1 r6 .1 f7 l3 r6 b3 f9 l3
r12 b3 f3 b3 l6 f3 r4 .1 b7 .1 l4 .1 r8 b3 f3 b12 r3 l3 r3 f5 .1 l6 f12 b9 r3 l10 f6 r3 l3 r3 l9 .1 f7 l3 r3 l3
b5 r3 .1 f8 l4 f3 b8 l3 r5 f3 .1 f5 r3 l3 .1 r9 b12 r3 l3 r3 l4 .1 f9 r8 .1 b5 r3 l3 r3 l9 f3 b3 f3 b9 l3 r3 l11
b10 r6 b3 f3 b3 f4 l7 b3 .1 b6 l4 b10 .1 l9 b3 f3 b3 f3 l9 f3 b3 f3 .1 b5 r5 b3 f3 b3 f9 .1 b9 l3 r8 b3 f3 b3 f5
r6 b3 f3 l5 b7 .1 l4 f3 .1 f8 l3 r3 l10 r4 b3 .1 b7 .1 f8 l7 f3 b3 f10 b4 l3 r3 .1 r5 b8 r6 .1 b9 r3 l3 r3 f8 r11
b8 l3 .1 f7 r3 l3 r3 b7 l3 .1 r6 f6 .1 l4 f3 .1 f4 l3 r5 f8 .1 r9 f3 b12 r3 l3 .1 l9 b3 f3 r8 b3 f3 b11 l3 r3 .1
f4 b8 r3 l3 .1 l8 b3 f3 .1 b5 r3 l9 b4 r3 l3 r7 f3 b3 f3 .1 f9 r6 f3 b3 f9 l3 r4 b3 f3 .1 b3 r3 l3 .1 f4 l8 f8 r3
l3 r9 f3 b8 l1
`;

export const RECORDINGS: Readonly<Record<GenreName, string>> = {
  sport: SPORT,
  simulation: SIMULATION,
  shooter: SHOOTER,
  arcade: ARCADE,
};
