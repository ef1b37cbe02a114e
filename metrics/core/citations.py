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

LOGICVISTA = """
@article{xiao2024logicvista,
  title = {LogicVista: Multimodal LLM Logical Reasoning Benchmark in Visual Contexts},
  author = {Xiao, Yijia and Sun, Edward and Liu, Tianyu and Wang, Wei},
  journal = {arXiv preprint arXiv:2407.04973},
  year = {2024}
}
"""

REFERENCE_FREE = """
@article{nguyen2026online,
  title = {An Online Reference-Free Evaluation Framework for Flowchart Image-to-Code Generation},
  author = {Nguyen, Giang Son and Lim, Zi Pong and Modi, Sarthak Ketanbhai and Teo, Yon Shin
            and Wang, Wenya},
  year = {2026}
}
"""
