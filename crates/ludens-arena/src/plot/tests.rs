use super::*;
use crate::Summary;

/// A check of structure: tags balance, attributes are quoted, nothing is NaN.
fn well_formed(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("every tag ends");
        assert!(!text.contains('&') || text.contains(';'), "{text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

fn lines() -> LinePlot {
    let curve = |name: &str, start: f64| Series {
        name: name.to_owned(),
        points: (0..40)
            .map(|i| (10f64.powf(f64::from(i) / 10.0), start - (f64::from(i) * 0.1).ln_1p()))
            .collect(),
    };
    LinePlot {
        labels: Labels::new("Daily boards: best so far", "milliseconds", "moves"),
        log_x: true,
        steps: true,
        series: vec![
            curve("beam", 15.6),
            curve("mcts:c=0.1", 15.2),
            curve("nrpa:level=3", 15.0),
            curve("portfolio", 14.7),
        ],
        levels: vec![Level { name: "best known".to_owned(), y: 13.6 }],
    }
}

#[test]
fn line_plots_tell_series_apart_without_colour() {
    let svg = lines().to_svg();
    well_formed(&svg);
    assert_eq!(count(&svg, "<polyline"), 4);
    let dashes: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<polyline"))
        .map(|line| line.split_once("stroke-dasharray=").map_or("", |(_, rest)| rest))
        .collect();
    let different: std::collections::BTreeSet<_> = dashes.iter().collect();
    assert_eq!(different.len(), 4, "{dashes:?}");
    for name in ["best known", "beam", "portfolio", "milliseconds", "moves", "1000"] {
        assert_eq!(count(&svg, &format!(">{name}</text>")), 1, "{name}");
    }
    assert_eq!(svg, lines().to_svg());
}

#[test]
fn odd_data_do_not_break_a_plot() {
    let mut plot = lines();
    plot.series[0].points = vec![(0.0, 1.0), (-1.0, 2.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)];
    plot.series[1].points = vec![(5.0, 14.0)];
    plot.series[2].points = Vec::new();
    plot.labels.title = "<b>&\"\u{7}".to_owned();
    plot.series[3].name = "a very long name of a solver with many parameters".to_owned();
    let svg = plot.to_svg();
    well_formed(&svg);
    assert!(
        svg.contains("&lt;b&gt;&amp;&quot;\u{fffd}") && svg.contains("a very long name of a s…")
    );
    let none = LinePlot { series: Vec::new(), levels: Vec::new(), ..lines() }.to_svg();
    well_formed(&none);
    assert!(none.contains("no data"));
    let bare =
        LinePlot { series: lines().series[..1].to_vec(), log_x: false, steps: false, ..lines() };
    well_formed(&bare.to_svg());
    well_formed(&LinePlot::default().to_svg());
    let many =
        LinePlot { series: (0..14).map(|i| lines().series[i % 4].clone()).collect(), ..lines() };
    well_formed(&many.to_svg());
}

fn boxes() -> BoxPlot {
    let sample = |shift: f64| {
        let values: Vec<f64> = (0..50).map(|i| shift + f64::from(i * i % 37) * 10.0).collect();
        Summary::of(&values).unwrap()
    };
    let names = ["Static", "SP-MCTS", "3rdAvg", "BaseExp", "Tabu"];
    let boxes = names
        .iter()
        .enumerate()
        .map(|(i, name)| BoxItem::of(name, &sample(2500.0 + 60.0 * i as f64)))
        .collect();
    BoxPlot { labels: Labels::new("Schadd boards", "", "points"), boxes }
}

#[test]
fn box_plots() {
    let svg = boxes().to_svg();
    well_formed(&svg);
    let drawn = svg.lines().filter(|l| l.starts_with("<rect") && l.contains("url(#hatch"));
    assert_eq!(drawn.count(), 5);
    assert!(svg.contains(">SP-MCTS</text>"));
    let mut odd = boxes();
    odd.boxes[0].five = [f64::NAN; 5];
    well_formed(&odd.to_svg());
    assert!(BoxPlot::default().to_svg().contains("no data"));
}

fn histogram() -> Histogram {
    let sample = |name: &str, centre: f64, spread: f64| Sample {
        name: name.to_owned(),
        values: (1..200)
            .map(|i| (centre + spread * (f64::from(i) / 200.0 - 0.5) * f64::from(i % 7)).round())
            .collect(),
    };
    Histogram {
        labels: Labels::new("Moves per board", "moves", "boards"),
        bin: 1.0,
        samples: vec![sample("1 look-ahead", 18.5, 1.5), sample("2 look-ahead", 16.2, 1.2)],
    }
}

#[test]
fn histograms() {
    let svg = histogram().to_svg();
    well_formed(&svg);
    assert!(svg.contains(">2 look-ahead</text>") && svg.contains("url(#hatch1)"));
    let one = Histogram { samples: histogram().samples[..1].to_vec(), ..histogram() }.to_svg();
    well_formed(&one);
    assert!(!one.contains("look-ahead"), "a single sample needs no legend");
    let mut far = histogram();
    far.samples[0].values = vec![1e200];
    far.samples[1].values = vec![1e200];
    well_formed(&far.to_svg());
    let none = Histogram { samples: Vec::new(), ..histogram() }.to_svg();
    assert!(none.contains("no data"));
    well_formed(&none);
}

#[test]
fn violins_have_bars_and_lines_across() {
    let sample = |name: &str, shift: f64| Sample {
        name: name.to_owned(),
        values: (0..50).map(|i| shift + f64::from(i * i % 17)).collect(),
    };
    let line = Across { name: "true".to_owned(), values: vec![Some(3.0), None, Some(9.0)] };
    let plot = ViolinPlot {
        labels: Labels::new("Moves foretold", "moves left", "moves"),
        samples: vec![sample("1", 0.0), sample("2", 2.0), sample("3", 4.0)],
        lines: vec![line],
    };
    let svg = plot.to_svg();
    well_formed(&svg);
    assert_eq!(count(&svg, "<polyline"), 1);
    for name in ["1", "2", "3", "true", "moves left"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
    well_formed(&ViolinPlot::default().to_svg());
}
