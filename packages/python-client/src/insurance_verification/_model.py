from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """
    The base of all models. A newer service may add members and values: unknown members are kept in `model_extra`, and an
    enumeration takes any string.
    """

    # Pydantic's errors repeat what they refuse, and that can be a patient's data.
    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, validate_by_name=True)
