"""Reading pictures: OCR engines, label merging, shapes and arrows."""
