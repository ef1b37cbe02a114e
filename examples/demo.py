"""Load what was built, say what is inside, and write a gallery page.

Run by `make demo` from the project's root.
"""

from pathlib import Path

from datasets import Image, load_dataset

from builders.simulated.gallery import write_gallery

CHARTS = 24


def main() -> None:
    """Load the charts and their questions, print a digest, write the gallery."""
    charts = load_dataset("flowlearn", "simulated")
    questions = load_dataset("flowlearn", "simulated_vqa", split="test")
    for split, rows in charts.items():
        print(f"simulated/{split}: {len(rows):,} charts")
    print(f"simulated_vqa/test: {len(questions):,} questions\n")

    row = charts["train"][0]
    print(f"chart {row['id']}: {row['image'].size[0]} × {row['image'].size[1]} px")
    print(row["mermaid"], "\n")
    for node in row["nodes"]:
        print(f"  {node['label']!r} at {[round(x) for x in node['box']]}")
    for link in row["links"]:
        print(f"  {link['source']} {link['style']} {link['target']}, tip {link['head_tip']}")
    print()
    for question in row["questions"]:
        print(f"  {question['task']}: {question['question']} → {question['answer']!r}")

    raw = charts["test"].cast_column("image", Image(decode=False))
    page = write_gallery(
        raw.select(range(min(CHARTS, len(raw)))), "FlowLearn, simulated", Path("out/gallery.html")
    )
    print(f"\ngallery: {page.resolve().as_uri()}")


if __name__ == "__main__":
    main()
