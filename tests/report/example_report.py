"""A report with every kind of part, and texts that would break out of markup."""

from dragoman.report import Column, Plot, Point, Report, Section, Series, Table

ACCURACY = Table(
    "Execution accuracy",
    (Column("Database"), Column("Examples"), Column("Accuracy", ".1%"), Column("95 % interval", ".1%")),
    (
        ("concert_singer", 45, 0.7111, (0.565, 0.823)),
        ("flights <script>alert(1)</script>", 80, 0.5, (0.393, 0.607)),
        ("world|1 [red]x[/red]", 120, None, None),
    ),
    "Wilson's interval over examples.",
)
BARS = Plot(
    "Accuracy by difficulty",
    (
        Series(
            "zero shot",
            (Point("easy", 0.8, 0.7, 0.9), Point("medium", 0.55, 0.45, 0.65), Point("extra hard", 0.2, 0.1, 0.3)),
        ),
        Series(
            "divskill & co",
            (Point("easy", 0.85, 0.75, 0.92), Point("medium", 0.65, 0.55, 0.74), Point("extra hard", 0.31, 0.2, 0.42)),
        ),
    ),
    "bar",
    y_label="share correct",
    format=".0%",
    limits=(0, 1),
)
LINES = Plot(
    "Pass@k",
    tuple(
        Series(
            name,
            tuple(Point(k, base + 0.06 * (k - 1) ** 0.5, base - 0.02, base + 0.1 + 0.05 * k**0.5) for k in range(1, 9)),
        )
        for name, base in (("base × 8", 0.5), ("seeds", 0.55), ("divskill", 0.6), ("chase", 0.52), ("reforce", 0.45))
    ),
    x_label="k",
    y_label="share solved",
    format=".0%",
)
CALIBRATION = Plot(
    "Reliability",
    (Series("", (Point(0.2, 0.1), Point(0.5, 0.55), Point(0.9, 0.8))),),
    x_label="confidence",
    y_label="share correct",
    limits=(0, 1),
    diagonal=True,
)
DATABASES = Plot(
    "By database",
    (Series("", tuple(Point(f"student_transcripts_tracking_{i}", i / 12) for i in range(12))),),
    "bar",
    format=".0%",
)
REPORT = Report(
    "spider dev: zero_shot",
    "612 of 1,034 answers are right (59.2 %).",
    (
        Section("Accuracy", ("Of <all> examples & databases.", ACCURACY, BARS)),
        Section("Pools", (LINES, CALIBRATION, DATABASES)),
    ),
)
