"""Spanish words that name an attribute of a person in a question."""

from __future__ import annotations

SUBJECTS = {
    "name": ("nombre", "llamo", "llama"),
    "residence": ("vivo", "vive", "mudé", "ciudad", "dirección", "residencia", "domicilio"),
    "employment": ("trabajo", "trabaja", "empleo", "empresa", "chamba", "curro", "laburo"),
    "marital_status": (
        "casado", "casada", "soltero", "soltera", "divorciado", "divorciada", "comprometido", "comprometida", "viudo",
        "viuda",
    ),
    "diet": ("vegetariano", "vegetariana", "vegano", "vegana", "dieta"),
    "occupation": ("profesión", "ocupación", "carrera", "oficio"),
    "birthday": ("cumpleaños", "nací", "nació", "cumplo"),
    "age": ("edad", "años"),
    "allergy": ("alergia", "alergias", "alérgico", "alérgica", "intolerancia"),
    "weight": ("peso", "pesa", "kilos"),
    "height": ("altura", "estatura", "mido", "metros"),
    "goal": ("meta", "objetivo", "propósito", "quiero"),
    "medication": ("medicina", "medicinas", "medicamento", "medicamentos", "medicación", "insulina", "inhalador"),
    "condition": (
        "diabetes", "diabético", "diabética", "asma", "asmático", "asmática", "epilepsia", "epiléptico", "epiléptica",
        "celíaco", "celíaca", "hipertensión", "hipertenso", "hipertensa", "cáncer", "marcapasos", "embarazada",
        "diagnosticado", "diagnosticada", "migraña", "migrañas", "artritis", "depresión", "vih",
    ),
}  # fmt: skip
