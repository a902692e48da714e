"""What names tell is asked about: a question that does not fit is worse than none."""

import pytest

from core.documents.related_names import are_versions, earlier_years


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("contract v1.docx|contract v2.docx", True),
        ("a/Lease_draft.docx|a/lease_FINAL.pdf", True),
        ("contract.docx|contract (signed).pdf", True),
        ("NDA v1.2.docx|NDA v1.3 clean.docx|NDA.docx", True),
        ("合同初稿.docx|合同终稿.docx", True),
        ("عقد مسودة.docx|عقد نهائي.docx", True),
        ("lab1.txt|lab2.txt", False),
        ("chapter 1.md|chapter 2.md", False),
        ("minutes 2024-05-01.txt|minutes 2024-05-08.txt", False),
        ("report 2023.docx|report 2024.docx", False),
        ("ada/essay_final.docx|ben/essay_draft.docx", False),
        ("final exam.docx|exam.docx", False),
        ("essay v1.docx|essay v1.pdf", False),
        ("contract v1.docx|contract v2.docx|invoice.docx", False),
        ("Elena v.docx|Elena.docx", False),
        ("contract v1.docx", False),
        ("|".join(f"contract v{number}.docx" for number in range(100)), False),
    ],
)
def test_versions(names, expected):
    assert are_versions(names.split("|")) is expected


@pytest.mark.parametrize(
    ("name", "others", "earlier"),
    [
        ("2025", "2024|2023|2025|2026|notes", "2023|2024"),
        ("essays-2025-26", "essays-2024-25|exams-2024-25|essays-2025-26", "essays-2024-25"),
        ("Essays_2025", "essays_2024|essays_2024_old", "essays_2024"),
        ("scan-2024-05-08", "scan-2024-05-01|scan-2023-05-08", ""),  # dates
        ("20240501", "20230501", ""),
        ("lab2", "lab1", ""),
        ("2024-05", "2023-05", ""),
        ("Großes 2025 b", "Großes 2024 a", ""),
        ("Großes 2025", "GROSSES 2024", "GROSSES 2024"),
        ("Model 2080", "Model 2070", ""),
        ("Odyssey 2001", "Odyssey 1984", ""),
        ("2024 and 2025", "2023 and 2024", ""),
    ],
)
def test_earlier_years(name, others, earlier):
    assert "|".join(earlier_years(name, others.split("|"))) == earlier
