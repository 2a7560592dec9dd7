"""English words that name an attribute of a person in a question."""

from __future__ import annotations

SUBJECTS = {
    "name": ("name", "called"),
    "residence": ("live", "lives", "living", "moved", "home", "city", "address", "residence"),
    "employment": ("work", "works", "job", "employer", "company"),
    "marital_status": ("married", "single", "divorced", "engaged", "widowed"),
    "diet": ("vegetarian", "vegan", "diet"),
    "occupation": ("job", "occupation", "profession", "career"),
    "birthday": ("birthday", "born"),
    "age": ("age", "old"),
    "allergy": ("allergy", "allergies", "allergic", "intolerant"),
    "weight": ("weigh", "weight", "kg", "pounds"),
    "height": ("tall", "height"),
    "goal": ("goal", "want", "plan"),
    "medication": ("medication", "medications", "medicine", "medicines", "meds", "insulin", "inhaler", "antibiotics"),
    "condition": (
        "diabetes",
        "diabetic",
        "asthma",
        "asthmatic",
        "epilepsy",
        "epileptic",
        "celiac",
        "coeliac",
        "hypertension",
        "cancer",
        "pacemaker",
        "pregnant",
        "diagnosed",
        "migraine",
        "migraines",
        "arthritis",
        "depression",
        "hiv",
    ),
}
