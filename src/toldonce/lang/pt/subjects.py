"""Portuguese words that name an attribute of a person in a question."""

from __future__ import annotations

SUBJECTS = {
    "name": ("nome", "chamo"),
    "residence": ("moro", "mora", "mudei", "cidade", "endereço", "residência"),
    "employment": ("trabalho", "trabalha", "emprego", "empresa"),
    "marital_status": (
        "casado", "casada", "solteiro", "solteira", "divorciado", "divorciada", "noivo", "noiva", "viúvo",
    ),
    "diet": ("vegetariano", "vegano", "dieta"),
    "occupation": ("profissão", "ocupação", "carreira"),
    "birthday": ("aniversário", "nasci", "nasceu"),
    "age": ("idade", "anos"),
    "allergy": ("alergia", "alergias", "alérgico", "alérgica", "intolerância"),
    "weight": ("peso", "pesando", "quilos"),
    "height": ("altura", "metros"),
    "goal": ("meta", "objetivo", "quero"),
    "medication": ("remédio", "remédios", "medicamento", "medicamentos", "medicação", "insulina", "antibiótico"),
    "condition": (
        "diabetes", "diabético", "diabética", "asma", "asmático", "asmática", "epilepsia", "epiléptico", "epiléptica",
        "celíaco", "celíaca", "hipertensão", "hipertenso", "hipertensa", "câncer", "marcapasso", "grávida",
        "diagnosticado", "diagnosticada", "enxaqueca", "artrite", "depressão", "hiv",
    ),
}  # fmt: skip
