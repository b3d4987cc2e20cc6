#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used, missing_docs)]
use ludens_core::*;
use ludens_search::mcts::*;
use std::sync::atomic::AtomicBool;
// cells[col*15+row], 0 empty, mode 1: all columns fall at each move; 2: affected columns only
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct B<const M: u8>([u8; 225]);
type Grp = u8;
impl<const M: u8> B<M> {
    fn flood(&self, at: usize, seen: &mut [bool; 225], out: &mut [u8; 225]) -> usize {
        let c = self.0[at];
        let mut n = 1;
        out[0] = at as u8;
        seen[at] = true;
        let mut i = 0;
        while i < n {
            let x = out[i] as usize;
            i += 1;
            let (col, row) = (x / 15, x % 15);
            let mut go = |y: usize| {
                if !seen[y] && self.0[y] == c {
                    seen[y] = true;
                    out[n] = y as u8;
                    n += 1;
                }
            };
            if row > 0 {
                go(x - 1)
            }
            if row < 14 {
                go(x + 1)
            }
            if col > 0 {
                go(x - 15)
            }
            if col < 14 {
                go(x + 15)
            }
        }
        n
    }
    fn is_vs(&self, cells: &[u8]) -> bool {
        let col = cells[0] / 15;
        if cells.iter().any(|c| c / 15 != col) {
            return false;
        }
        let lo = *cells.iter().min().unwrap() as usize;
        let hi = *cells.iter().max().unwrap() as usize;
        let above = if M == 3 {
            hi % 15 < 14 && self.0[hi + 1] != 0
        } else {
            (hi + 1..(hi / 15 + 1) * 15).any(|x| self.0[x] != 0)
        };
        let below = if M == 3 {
            lo % 15 > 0 && self.0[lo - 1] != 0
        } else {
            (lo / 15 * 15..lo).any(|x| self.0[x] != 0)
        };
        !above && below
    }
    fn each(&self, mut f: impl FnMut(u8, &[u8], bool)) {
        let mut seen = [false; 225];
        let mut out = [0u8; 225];
        for x in 0..225 {
            if self.0[x] != 0 && !seen[x] {
                let n = self.flood(x, &mut seen, &mut out);
                if n > 1 {
                    let vs = self.is_vs(&out[..n]);
                    f(x as u8, &out[..n], vs);
                }
            }
        }
    }
    fn remove(&self, at: u8) -> (Self, u32) {
        let mut seen = [false; 225];
        let mut out = [0u8; 225];
        let n = self.flood(at as usize, &mut seen, &mut out);
        let mut b = *self;
        let mut cols = [false; 15];
        for &x in &out[..n] {
            b.0[x as usize] = 0;
            cols[x as usize / 15] = true;
        }
        for c in 0..15 {
            if M == 1 || cols[c] {
                let mut w = c * 15;
                for r in 0..15 {
                    let v = b.0[c * 15 + r];
                    if v != 0 {
                        b.0[c * 15 + r] = 0;
                        b.0[w] = v;
                        w += 1;
                    }
                }
            }
        }
        let mut w = 0;
        for c in 0..15 {
            if (0..15).any(|r| b.0[c * 15 + r] != 0) {
                if w != c {
                    for r in 0..15 {
                        b.0[w * 15 + r] = b.0[c * 15 + r];
                        b.0[c * 15 + r] = 0;
                    }
                }
                w += 1;
            }
        }
        (b, n as u32)
    }
    fn list(&self) -> ArrayVec<Grp, 112> {
        let mut v = ArrayVec::new();
        self.each(|x, _, vs| {
            if !vs {
                v.push(x)
            }
        });
        v
    }
}
impl<const M: u8> Position for B<M> {
    fn key(&self) -> u64 {
        self.0.chunks(8).fold(7, |k, c| {
            let mut w = [0; 8];
            w[..c.len()].copy_from_slice(c);
            bits::mix(k ^ u64::from_le_bytes(w))
        })
    }
}
#[derive(Clone)]
struct It(ArrayVec<Grp, 112>, usize);
impl Iterator for It {
    type Item = Grp;
    fn next(&mut self) -> Option<Grp> {
        let x = self.0.get(self.1).copied();
        self.1 += 1;
        x
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.len() - self.1.min(self.0.len());
        (n, Some(n))
    }
}
impl ExactSizeIterator for It {}
impl<const M: u8> Game for B<M> {
    type Variant = NoVariant;
    type Action = Grp;
    type Actions = It;
    no_chance!();
    const PLAYERS: usize = 1;
    fn variant(&self) -> NoVariant {
        NoVariant
    }
    fn start(_: &NoVariant, _: &mut Rng) -> Self {
        B([0; 225])
    }
    fn to_move(&self) -> Player {
        Player::One
    }
    fn actions(&self) -> It {
        It(self.list(), 0)
    }
    fn is_legal(&self, _: Grp) -> bool {
        true
    }
    fn apply(&self, a: Grp) -> (Self, Reward) {
        let (b, n) = self.remove(a);
        let n = n as i32;
        let mut r = (n - 2) * (n - 2);
        let mut any = false;
        let mut seg = 0;
        let mut left = [0i32; 6];
        for &c in &b.0 {
            left[c as usize] += 1;
        }
        b.each(|x, cells, vs| {
            if vs {
                let k = cells.len() as i32;
                seg += (k - 2) * (k - 2);
                left[b.0[x as usize] as usize] -= k;
            } else {
                any = true
            }
        });
        if !any {
            if left[1..].iter().all(|&l| l == 0) {
                r += 1000
            } else {
                r += seg
                    - left[1..].iter().filter(|&&l| l > 0).map(|l| (l - 2) * (l - 2)).sum::<i32>();
            }
        }
        (b, r)
    }
}
impl<const M: u8> Deterministic for B<M> {}
impl<const M: u8> Solo for B<M> {}
struct K;
impl<const M: u8> Knowledge<B<M>> for K {
    fn end_bonus(&self, p: &B<M>) -> i64 {
        if p.0.iter().all(|&c| c == 0) { 1000 } else { 0 }
    }
}
struct T(u8, u32, u8);
impl<const M: u8> Rollout<B<M>> for T {
    fn begin(&mut self, p: &B<M>, _: &mut Rng) {
        if self.0 == 0 {
            return;
        }
        let mut n = [0; 6];
        for &c in &p.0 {
            n[c as usize] += 1;
        }
        self.2 = (1..6).max_by_key(|&c| (n[c], 6 - c)).unwrap() as u8;
    }
    fn pick(&mut self, p: &B<M>, rng: &mut Rng) -> Option<(Grp, B<M>, Reward)> {
        let l = p.list();
        if l.is_empty() {
            return None;
        }
        let mut a = l[rng.below(l.len() as u32) as usize];
        if self.0 == 1 && p.0.iter().filter(|&&c| c != 0).count() as u32 > self.1 {
            let f: ArrayVec<Grp, 112> =
                l.iter().copied().filter(|&x| p.0[x as usize] != self.2).collect();
            if !f.is_empty() {
                a = f[rng.below(f.len() as u32) as usize];
            }
        }
        let (b, r) = p.apply(a);
        Some((a, b, r))
    }
}
fn go<const M: u8>(names: &str, boards: usize, runs: usize, zero: u8) {
    let text = std::fs::read_to_string("/work/shared/data/samegame/schadd_100.json").unwrap();
    let rows: Vec<&str> = text
        .split('"')
        .filter(|s| s.len() == 15 && s.bytes().all(|b| b.is_ascii_digit()))
        .collect();
    let all: Vec<B<M>> = rows
        .chunks(15)
        .map(|c| {
            let mut b = B([0; 225]);
            for col in 0..15 {
                for row in 0..15 {
                    let d = c[14 - row].as_bytes()[col] - b'0';
                    b.0[col * 15 + row] = if d == zero {
                        0
                    } else if d == 0 {
                        5
                    } else {
                        d
                    };
                }
            }
            b
        })
        .collect();
    let stop = AtomicBool::new(false);
    for name in names.split(',') {
        let config = composition(name).unwrap();
        let (mut s, mut dep, mut nodes, mut term, mut gl, mut mx) = (0, 0.0, 0, 0, 0.0, 0);
        for (b, g) in all.iter().take(boards).enumerate() {
            for r in 0..runs {
                let budget = Budget { units: Some(640000), ..Budget::default() };
                let mut m = Mcts::new(config)
                    .rollout(T(
                        (config.simulation == Simulation::TabuColour) as u8,
                        config.random_below,
                        0,
                    ))
                    .knowledge(K);
                let mut sink = |_: &Progress<'_, B<M>>| {};
                let mut cx =
                    Context::new(budget, (1000 * b + r) as u64, 1, 1 << 30, &stop, &mut sink);
                s += m.solve(g, &mut cx).unwrap().value;
                let st = m.statistics();
                dep += st.average_depth();
                nodes += st.nodes;
                term += st.terminals;
                gl += st.game_length();
                mx += st.maximum_depth();
            }
        }
        let k = (boards * runs) as f64;
        println!(
            "mode {M} {name:20} {:7.1} depth {:.2} max {:.2} nodes {:.0} term {:.1} len {:.1}",
            s as f64 / k,
            dep / k,
            mx as f64 / k,
            nodes as f64 / k,
            term as f64 / k,
            gl / k
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (b, r) = (a[3].parse().unwrap(), a[4].parse().unwrap());
    match a[1].as_str() {
        "1" => go::<1>(&a[2], b, r, 0),
        "2" => go::<2>(&a[2], b, r, 0),
        _ => go::<3>(&a[2], b, r, 0),
    }
}
