"""BibTeX entries of the papers that the metrics come from."""

FLOWLEARN = """
@article{pan2024flowlearn,
  title = {FlowLearn: Evaluating Large Vision-Language Models on Flowchart Understanding},
  author = {Pan, Huitong and Zhang, Qi and Caragea, Cornelia and Dragut, Eduard
            and Latecki, Longin Jan},
  journal = {arXiv preprint arXiv:2407.05183},
  year = {2024}
}
"""
