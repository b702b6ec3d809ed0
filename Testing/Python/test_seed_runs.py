"""Seed Runs and Travel Time Table of the filters with seeds, against runs of the same filter with one seed."""
import numpy as np
import pytest
from paraview import simple

from pipelines import array, assert_error, cell_array, curvature_paths, image, mesh_travel_time, names, output, points, ray_tracing, travel_time
from seed_runs import name_of, numbers_of, table_of

SEEDS = [(3, 4, 0), (11.3, 9.2, 0), (18, 2, 0)]
TIPS = [(1, 1, 0), (19, 15, 0), (9, 9, 0), (15, 3.5, 0), (30, 0, 0)]  # the last one lies outside


def rough():
    return image(v=np.random.default_rng(3).uniform(0.5, 2, 21 * 17))


def tensors():
    rng = np.random.default_rng(5)
    d = rng.uniform(1, 3, (357, 2))
    g = np.zeros((357, 9))
    g[:, 0], g[:, 4], g[:, 8], g[:, 1], g[:, 3] = d[:, 0], d[:, 1], 1, 0.4, 0.4
    return image(g=g)


def image_filter(**properties):
    return travel_time(**{"Input": rough(), "SpeedArray": ["POINTS", "v"], "SourceFactoring": "Additive", **properties})


def image_with_tensors(**properties):
    return travel_time(**{"Input": tensors(), "SpeedArray": ["POINTS", "g"], "SpeedType": "Metric Tensor", **properties})


def image_in_a_drift(**properties):
    drift = np.tile([0.2, -0.1, 0.0], (357, 1))
    return travel_time(**{"Input": image(w=drift), "DriftArray": ["POINTS", "w"], **properties})


def dubins(**properties):
    return curvature_paths(**{"Input": rough(), "CostArray": ["POINTS", "v"], "Model": "Dubins", "TurningRadius": 1.5, **properties})


def dubins_in_a_drift(**properties):
    drift = np.tile([0.2, -0.1, 0.0], (357, 1))
    return curvature_paths(**{"Input": image(w=drift), "DriftArray": ["POINTS", "w"], "TurningRadius": 1.5, "Accuracy": "First Order",
                              "Model": "Dubins", **properties})


def mesh_of_triangles(**properties):
    return mesh_travel_time(**{"Input": simple.Tetrahedralize(Input=rough()), "SpeedArray": ["POINTS", "v"], "SpeedType": "Scalar", **properties})


def exact_distances(**properties):
    return mesh_travel_time(**{"Input": simple.Tetrahedralize(Input=image()), "Accuracy": "Exact", **properties})


WORDS = {"Seeds": "Sources", "Tips": "Receivers", "SeedRuns": "SourceRuns"}  # of Ray Tracing


def rays(**properties):
    return ray_tracing(**{"Input": rough(), **{WORDS.get(name, name): value for name, value in properties.items()}})


def reflected_rays(**properties):
    interface = np.zeros((17, 21))
    interface[16, 3:] = 1
    data = image(v=np.random.default_rng(3).uniform(0.5, 2, 21 * 17), r=interface.ravel())
    return rays(Input=data, Interface="Mask", InterfaceArray=["POINTS", "r"], **properties)


FRONTS = {"image": image_filter, "tensors": image_with_tensors, "drift": image_in_a_drift, "Dubins": dubins,
          "Dubins in a drift": dubins_in_a_drift, "mesh": mesh_of_triangles, "exact": exact_distances}
FILTERS = {**FRONTS, "rays": rays, "reflected rays": reflected_rays}
SYMMETRIC = {"image", "tensors", "Dubins", "mesh", "exact", "rays", "reflected rays"}
ON_IMAGES = [name for name in FRONTS if name not in ("mesh", "exact")]  # a mesh moves seeds and tips that lie outside


@pytest.fixture(params=FILTERS)
def make(request):
    return FILTERS[request.param]


@pytest.fixture(params=["image", "Dubins", "mesh", "rays"])
def make_each(request):
    """One of each class."""
    return FILTERS[request.param]


@pytest.fixture(params=FRONTS)
def make_front(request):
    return FRONTS[request.param]


@pytest.fixture(params=FILTERS)
def named_filter(request):
    return request.param


def seeds_with(positions=SEEDS, **arrays):
    return points(positions, **arrays)


def single_runs(make, seeds=SEEDS, tips=TIPS, **properties):
    """Returns the filter for each seed alone."""
    return [make(Seeds=points([seed]), Tips=points(tips), **properties) for seed in seeds]


def times_of(proxy, name="TravelTime"):
    return array(output(proxy), name)


def test_the_table_has_the_bits_of_single_runs(make, messages):
    alone = single_runs(make)
    for runs in ("Together", "Separate", "Time Steps"):
        proxy = make(Seeds=seeds_with(), Tips=points(TIPS), ComputeTravelTimeTable=1, SeedRuns=runs)
        table = table_of(proxy)
        assert list(table["Seed"]) == np.repeat(range(3), 5).tolist() and list(table["Tip"]) == list(range(5)) * 3
        expected = np.concatenate([numbers_of(p, len(TIPS)) for p in alone])
        assert np.column_stack([table["TravelTime"], table["Length"]]).tobytes() == expected.tobytes()
        assert list(table["Reached"]) == (~np.isnan(expected[:, 0])).tolist() and table["Reached"].sum() >= 12
    assert "outside" in messages()


def test_separate_seeds_have_the_times_of_single_runs_and_their_minimum(make_front, messages):
    alone = [times_of(p) for p in single_runs(make_front)]
    proxy = make_front(Seeds=seeds_with(Label=np.array([7, 9, 8])), Tips=points(TIPS), SeedRuns="Separate")
    for n, expected in enumerate(alone):
        assert times_of(proxy, f"TravelTime{n}").tobytes() == expected.tobytes()
    assert times_of(proxy).tobytes() == np.min(alone, axis=0).tobytes()
    first = np.array([7, 9, 8])[np.argmin(alone, axis=0)]
    assert (times_of(proxy, "SeedId") == first).all() and set(first) == {7, 8, 9}
    lines = output(proxy, 1)
    count = lines.GetNumberOfCells() // 3
    assert list(cell_array(lines, "TipId")) == list(range(count)) * 3 and count >= 4
    assert list(cell_array(lines, "SeedId")) == np.repeat([7, 9, 8], count).tolist()
    assert "tip 4 at (30, 0, 0)" in messages() and not table_of(proxy)


def test_time_steps_show_one_seed_after_the_other(make, messages):
    alone = single_runs(make)
    proxy = make(Seeds=seeds_with(), Tips=points(TIPS), SeedRuns="Time Steps", ComputeTravelTimeTable=1)
    assert list(proxy.TimestepValues) == [0, 1, 2]
    tables = []
    for step in (0, 2, 1):
        proxy.UpdatePipeline(step)
        assert times_of(proxy).tobytes() == times_of(alone[step]).tobytes()
        assert numbers_of(proxy, 5).tobytes() == numbers_of(alone[step], 5).tobytes()
        lines = output(proxy, 1)
        assert set(cell_array(lines, name_of(lines, "SeedId"))) == {step}
        assert output(proxy).GetInformation().Get(output(proxy).DATA_TIME_STEP()) == step
        tables.append(table_of(proxy)["TravelTime"].tobytes())
    assert len(set(tables)) == 1
    messages()


def test_same_seeds_and_tips_have_equal_times_both_ways_where_the_medium_is_symmetric(named_filter, messages):
    proxy = FILTERS[named_filter](Seeds=seeds_with(), Tips=points(SEEDS), ComputeTravelTimeTable=1)
    for name in ("TravelTime", "Length"):
        values = table_of(proxy)[name].reshape(3, 3)
        assert named_filter not in SYMMETRIC or (values == values.T).all()
        assert values[0, 0] == values[2, 2] == 0 or named_filter == "reflected rays"  # on points of the grid
    times = table_of(proxy)["TravelTime"].reshape(3, 3)
    assert (times == times.T).all() == (named_filter in SYMMETRIC)
    alone = [numbers_of(p, 3) for p in single_runs(FILTERS[named_filter], tips=SEEDS)]
    upper = np.triu_indices(3)
    assert (times[upper] == np.array(alone)[:, :, 0][upper]).all()
    assert "ERROR" not in messages()  # Dubins warns of paths that are dear, back to their own seed


def test_start_values_and_labels_are_those_of_the_seeds(make):
    start = np.array([5.0, 0.25, 1e6])
    kinds = {"Seeds": seeds_with(StartValue=start, Label=np.array([30, 10, 20])), "Tips": points(TIPS[:2], Label=np.array([4, 2]))}
    proxy = make(ComputeTravelTimeTable=1, SeedRuns="Separate", **kinds)
    table = table_of(proxy)
    assert list(table["Seed"]) == [30, 30, 10, 10, 20, 20] and list(table["Tip"]) == [4, 2] * 3
    plain = table_of(make(ComputeTravelTimeTable=1, Seeds=seeds_with(), Tips=kinds["Tips"]))
    assert table["TravelTime"] == pytest.approx(plain["TravelTime"] + np.repeat(start, 2), rel=1e-15)
    assert (table["Length"] == plain["Length"]).all()


def earliest(numbers):
    """Returns time and length of the shortest time."""
    return numbers[np.nanargmin(numbers[:, 0])]


def test_points_of_a_label_are_one_source_and_one_target(make, messages):
    """As the filter with the seeds of one label together, and the minimum over the tips of one label."""
    alone = [make(Seeds=points([SEEDS[n] for n in group]), Tips=points(TIPS)) for group in ((0, 2), (1,))]
    expected = np.array([earliest(numbers_of(p, 5)[tips]) for p in alone for tips in (slice(0, 2), slice(2, 5))])
    groups = {"Seeds": seeds_with(Label=np.array([7, 9, 7])), "Tips": points(TIPS, Label=np.array([4, 4, 2, 2, 2])), "GroupByLabel": 1}
    for runs in ("Together", "Separate", "Time Steps"):
        proxy = make(ComputeTravelTimeTable=1, SeedRuns=runs, **groups)
        table = table_of(proxy)
        assert list(zip(table["Seed"], table["Tip"])) == [(7, 4), (7, 2), (9, 4), (9, 2)] and table["Reached"].all()
        assert np.column_stack([table["TravelTime"], table["Length"]]).tobytes() == expected.tobytes()
        if runs == "Separate":
            assert [times_of(proxy, f"TravelTime{n}").tobytes() for n in range(2)] == [times_of(p).tobytes() for p in alone]
            assert set(cell_array(output(proxy, 1), name_of(output(proxy, 1), "SeedId"))) == {7, 9}
    assert list(proxy.TimestepValues) == [0, 1]
    for step in (1, 0):
        proxy.UpdatePipeline(step)
        assert times_of(proxy).tobytes() == times_of(alone[step]).tobytes()
    messages()


def test_seeds_of_a_label_keep_their_start_values(make_each):
    start = np.array([2.5, 1e6, 2.0])
    both = {"Tips": points(TIPS[:2]), "ComputeTravelTimeTable": 1}
    proxy = make_each(Seeds=seeds_with(StartValue=start, Label=np.array([7, 9, 7])), SeedRuns="Separate", GroupByLabel=1, **both)
    alone = make_each(Seeds=points([SEEDS[0], SEEDS[2]], StartValue=start[[0, 2]]), Tips=both["Tips"])
    assert table_of(proxy)["TravelTime"][:2].tobytes() == numbers_of(alone, 2)[:, 0].tobytes()
    assert table_of(proxy)["TravelTime"][2:].min() > 1e6 and times_of(proxy, "TravelTime0").tobytes() == times_of(alone).tobytes()


@pytest.mark.parametrize("make", [rays, lambda **p: image_filter(**{"SourceFactoring": "Off", **p, "Input": image(
    extent=(0, 20, 0, 0, 0, 0), v=np.random.default_rng(3).uniform(0.5, 2, 21))})], ids=["rays", "line"])
def test_the_time_between_labels_is_the_minimum_over_their_pairs(make):
    """To the last bit where a front of several seeds is the minimum of their fronts: on a graph, and on a line."""
    on_line = [(x, 0, 0) for x in (2, 11, 17, 6, 14)]
    seeds, tips = np.array([0, 1, 0]), np.array([5, 6, 6, 5, 6])
    both = {"Seeds": points(on_line[:3], Label=seeds), "Tips": points(on_line, Label=tips), "ComputeTravelTimeTable": 1}
    pairs = table_of(make(**both))["TravelTime"].reshape(3, 5)
    regions = table_of(make(GroupByLabel=1, **both))["TravelTime"].reshape(2, 2)
    assert regions.tobytes() == np.array([[pairs[seeds == s][:, tips == t].min() for t in (5, 6)] for s in (0, 1)]).tobytes()
    assert (regions > 0).sum() == 1  # the other pairs have a point in common


@pytest.mark.parametrize("named_filter", ["image", "drift", "Dubins", "mesh", "rays"])
def test_regions_that_are_seeds_and_tips_have_one_time_for_both_directions(named_filter, messages):
    ends = points(SEEDS + TIPS[:2], Label=np.array([1, 2, 1, 3, 2]))
    times = table_of(FILTERS[named_filter](Seeds=ends, Tips=ends, ComputeTravelTimeTable=1, GroupByLabel=1))["TravelTime"].reshape(3, 3)
    assert (times == times.T).all() == (named_filter in SYMMETRIC)
    messages()


def test_groups_need_labels_that_are_whole_numbers(make_each, messages):
    proxy = make_each(Seeds=seeds_with(), Tips=points(TIPS[:2], Label=np.array([1, 0.5])), ComputeTravelTimeTable=1, GroupByLabel=1)
    assert_error(messages, proxy, "has the label 0.5", "32-bit integers")


def test_other_tips_of_separate_seeds_solve_nothing_where_the_fields_are_kept(named_filter, messages):
    words = {} if named_filter in FRONTS else WORDS
    settings = {"Seeds": seeds_with(), "SeedRuns": "Separate"}
    proxy = FILTERS[named_filter](Tips=points(TIPS[:2]), CheckResidual=1, **settings) if not words else FILTERS[named_filter](Tips=points(TIPS[:2]), **settings)
    solves, residual = proxy.SolveCount, 0 if words else proxy.Residual
    setattr(proxy, words.get("Tips", "Tips"), points(TIPS[::-1]))
    proxy.UpdatePipeline()
    assert proxy.SolveCount == (2 * solves if "Dubins" in named_filter else solves) and proxy.ExtractionCount == 2
    assert words or proxy.Residual == residual
    fresh = FILTERS[named_filter](Tips=points(TIPS[::-1]), **settings)
    lines, expected = output(proxy, 1), output(fresh, 1)
    assert lines.GetNumberOfCells() == expected.GetNumberOfCells() >= 12
    assert cell_array(lines, "Length").tobytes() == cell_array(expected, "Length").tobytes()
    assert times_of(proxy).tobytes() == times_of(fresh).tobytes()
    messages()


def test_separate_seeds_warn_of_paths_that_turn_too_tightly(messages):
    dubins(Seeds=seeds_with(), Tips=points(SEEDS), SeedRuns="Separate")
    assert "1 of 9 paths turn more tightly than the model allows: tip 1 at (11.3, 9.2, 0)" in messages()


def test_the_table_and_the_times_do_not_depend_on_the_threads(make):
    def bits(threads):
        proxy = make(Seeds=seeds_with(), Tips=points(TIPS[:4]), SeedRuns="Separate", ComputeTravelTimeTable=1, Threads=threads)
        return [table_of(proxy)[name].tobytes() for name in ("TravelTime", "Length")] + [
            times_of(proxy, f"TravelTime{n}").tobytes() for n in range(3)]

    assert bits(1) == bits(2) == bits(5)


def test_changed_tips_and_repeated_updates_solve_no_more_than_needed(named_filter):
    proxy = FILTERS[named_filter](Seeds=seeds_with(), Tips=points(TIPS[:2]), ComputeTravelTimeTable=1)
    solves = proxy.SolveCount
    assert solves == (8 if named_filter == "reflected rays" else 4)  # together, and each seed; two legs
    proxy.Isochrones = 2
    setattr(proxy, "Tips" if named_filter in FRONTS else "Receivers", points(TIPS[:2], Label=np.array([8, 9])))
    proxy.UpdatePipeline()
    assert proxy.SolveCount == solves and list(table_of(proxy)["Tip"]) == [8, 9] * 3
    proxy.ComputeTravelTimeTable = 0
    proxy.UpdatePipeline()
    assert not table_of(proxy) and proxy.SolveCount == solves


def test_the_table_is_empty_without_tips_and_has_one_row_for_one_pair(make):
    assert len(table_of(make(Seeds=seeds_with(), Tips=points([]), ComputeTravelTimeTable=1))["Seed"]) == 0
    assert list(table_of(make(Seeds=seeds_with(SEEDS[:1]), Tips=points(TIPS[:1]), ComputeTravelTimeTable=1))["Reached"]) == [1]


@pytest.mark.parametrize("make", [FILTERS[name] for name in ON_IMAGES], ids=ON_IMAGES)
def test_an_unused_seed_reaches_nothing(make, messages):
    where = [SEEDS[0], (50, 50, 0)]
    proxy = make(Seeds=seeds_with(where), Tips=points(TIPS[:2]), SeedRuns="Separate", ComputeTravelTimeTable=1)
    table = table_of(proxy)
    assert list(table["Reached"]) == [1, 1, 0, 0] and np.isnan(table["TravelTime"][2:]).all() and np.isnan(table["Length"][2:]).all()
    assert np.isnan(times_of(proxy, "TravelTime1")).all() and times_of(proxy).tobytes() == times_of(proxy, "TravelTime0").tobytes()
    text = messages()
    assert "seed 1 at (50, 50, 0) lies outside" in text and "cannot be reached from 1 of 2 seeds" in text


def test_a_seed_in_a_barrier_of_a_mesh_reaches_nothing(messages):
    v = np.ones((17, 21))
    v[:, 15:] = 0
    proxy = mesh_of_triangles(Input=simple.Tetrahedralize(Input=image(v=v.ravel())), Seeds=seeds_with([(3, 4, 0), (18, 2, 0)]),
                              Tips=points(TIPS[:1]), SeedRuns="Separate", ComputeTravelTimeTable=1)
    assert list(table_of(proxy)["Reached"]) == [1, 0] and np.isnan(times_of(proxy, "TravelTime1")).all()
    assert list(output(proxy).GetFieldData().GetAbstractArray("SeedStatus").GetValue(n) for n in range(2)) == ["AtVertex", "InBarrier"]
    assert "seed 1 at (18, 2, 0) touches only barriers" in messages()
    proxy.Seeds = points([(18, 2, 0), (17, 9, 0)])
    proxy.UpdatePipeline()
    assert "every seed is in a barrier" in messages() and output(proxy).GetNumberOfPoints() == 0


@pytest.mark.parametrize("runs, table", [("Separate", 0), ("Time Steps", 0), ("Together", 1)])
@pytest.mark.parametrize("seeds", ["Onset Times", "Input"])
def test_onset_times_run_together_only(runs, table, seeds, messages):
    onset = np.full(357, -1.0)
    onset[5] = 1
    proxy = mesh_travel_time(Input=simple.Tetrahedralize(Input=image(o=onset)), OnsetTimeArray=["POINTS", "o"], SeedType=seeds,
                             Seeds=seeds_with(), SeedRuns=runs, ComputeTravelTimeTable=table)
    assert_error(messages, proxy, "onset times", "Together")


@pytest.mark.parametrize("make", [FILTERS[name] for name in ON_IMAGES], ids=ON_IMAGES)
@pytest.mark.parametrize("runs", ["Together", "Separate", "Time Steps"])
def test_without_a_usable_seed_there_is_an_error(make, runs, messages):
    proxy = make(Seeds=seeds_with([(50, 50, 0), (60, 50, 0)]), Tips=points(TIPS[:2]), SeedRuns=runs, ComputeTravelTimeTable=1)
    assert_error(messages, proxy, "seed")


@pytest.mark.parametrize("runs", ["Together", "Separate"])
def test_progress_never_decreases_and_a_stop_leaves_empty_outputs(named_filter, runs, messages):
    tips = "Tips" if named_filter in FRONTS else "Receivers"
    proxy = FILTERS[named_filter](Seeds=seeds_with(), Tips=points(TIPS[:4]), SeedRuns=runs, ComputeTravelTimeTable=1, Threads=2)
    algorithm, seen = proxy.GetClientSideObject(), []
    observer = algorithm.AddObserver("ProgressEvent", lambda *_: seen.append(algorithm.GetProgress()))
    setattr(proxy, tips, points(TIPS[:3]))
    proxy.UpdatePipeline()
    work = [p for p in seen if p > 0]
    assert work == sorted(work) and work[-1] == 1
    algorithm.RemoveObserver(observer)
    algorithm.AddObserver("ProgressEvent", lambda *_: algorithm.SetAbortExecute(1))
    setattr(proxy, tips, points(TIPS[:2]))
    proxy.UpdatePipeline()
    assert "stopped on request" in messages() and output(proxy).GetNumberOfPoints() == 0 and not table_of(proxy)


@pytest.mark.parametrize("runs", ["Together", "Separate"])
def test_merged_rays_and_converted_waves(runs):
    """Removing points of rays does not change their lengths in the table, and a converted wave takes longer one way."""
    both = {"Seeds": seeds_with(), "Tips": points(SEEDS), "SeedRuns": runs, "ComputeTravelTimeTable": 1}
    merged, whole = (table_of(rays(MergeCollinear=merge, **both)) for merge in (1, 0))
    assert all(merged[name].tobytes() == whole[name].tobytes() for name in merged)
    data = image(v=np.ones(357), r=np.repeat([0.0, 1.0], [336, 21]), v2=np.full(357, 2.0))
    proxy = rays(Input=data, Interface="Mask", InterfaceArray=["POINTS", "r"], SecondVelocityArray=["POINTS", "v2"], Template="Full", **both)
    times, down = table_of(proxy)["TravelTime"].reshape(3, 3), 16 - np.array(SEEDS)[:, 1]
    assert (times != times.T).sum() == 6 and times.diagonal() == pytest.approx(down * 1.5, rel=0.02)


def test_targets_need_seeds_together(messages):
    proxy = image_filter(Seeds=seeds_with(), Targets=points(TIPS[:1]), SeedRuns="Separate")
    assert_error(messages, proxy, "targets", "Together")


def test_residual_gradient_and_updates_of_separate_seeds():
    proxy = travel_time(Input=rough(), SpeedArray=["POINTS", "v"], Seeds=seeds_with(), SeedRuns="Separate", CheckResidual=1,
                        ComputeGradient=1, ComputeUpdateCounts=1)
    assert proxy.Residual < 1e-6
    alone = [travel_time(Input=rough(), SpeedArray=["POINTS", "v"], Seeds=points([s]), ComputeUpdateCounts=1) for s in SEEDS]
    assert (times_of(proxy, "Updates") == sum(times_of(p, "Updates") for p in alone)).all()
    assert names(output(proxy).GetPointData())[1:4] == ["TravelTime", "SeedId", "Reached"] and "Gradient" in names(output(proxy).GetPointData())


def test_a_region_is_one_seed():
    labels = np.zeros((17, 21), np.uint8)
    labels[3:6, 2:5] = 1
    data = image(r=labels.ravel())
    proxy = travel_time(Input=data, SeedType="Region", SeedRegionArray=["POINTS", "r"], TipPoints=[15, 9, 0, 3, 4, 0],
                        ComputeTravelTimeTable=1, SeedRuns="Separate")
    table = table_of(proxy)
    assert table["TravelTime"].tobytes() == numbers_of(proxy, 2)[:, 0].tobytes() and list(table["Seed"]) == [0, 0]
    assert times_of(proxy).tobytes() == times_of(proxy, "TravelTime0").tobytes()
