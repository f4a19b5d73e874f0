"""What a team would write first: FastAPI, models of the bodies, one INSERT or UPDATE by asyncpg. No key, no encryption."""

import json
import os
import socket
import uuid
from contextlib import asynccontextmanager
from datetime import date, datetime, timezone

import asyncpg
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, HttpUrl


class PatientInfo(BaseModel):
    subscriber_id: str
    dob: str | None = None
    name: str | None = None
    address: str | None = None


class PayerInfo(BaseModel):
    name: str
    phone_number: str | None = None


class ProviderInfo(BaseModel):
    npi: str
    name: str
    tin: str | None = None
    organization_name: str | None = None


class RequestInfo(BaseModel):
    patient_info: PatientInfo
    payer_info: PayerInfo
    provider_info: ProviderInfo
    cpt_code_coverage: list[str] = []
    callback_url: HttpUrl


class Accepted(BaseModel):
    request_id: str
    input: RequestInfo
    received_timestamp: datetime
    state: str = "pending"


class PlanInfo(BaseModel):
    payer_name: str | None = None
    plan_name: str | None = None
    eligibility_status: str | None = None
    start_date: date | None = None
    end_date: date | None = None
    cpt_code_coverage: list[str] | None = None


class InsurancePlanData(BaseModel):
    uuid: str | None = None
    person_uuid: str
    request_id: str | None = None
    verification_time: datetime
    verification_source: str
    notes: str | None = None
    patient_info: PatientInfo
    plan_info: PlanInfo


class RequestModel(BaseModel):
    request_id: uuid.UUID
    input: RequestInfo
    received_timestamp: datetime
    state: str
    error_reason: str | None = None


class Output(BaseModel):
    request: RequestModel
    insurance_data: list[InsurancePlanData]


@asynccontextmanager
async def lifespan(app: FastAPI):
    async with asyncpg.create_pool(os.environ["DATABASE_URL"], max_size=20) as pool:
        await pool.execute(
            "create table if not exists floor (id uuid primary key, body text not null, at timestamptz not null default now())"
        )
        app.state.pool = pool
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/requests/")
async def create_request(body: RequestInfo) -> Accepted:
    request_id = uuid.uuid4()
    received_timestamp = datetime.now(timezone.utc)
    await app.state.pool.execute(
        "insert into floor (id, body) values ($1, $2)", request_id, body.model_dump_json()
    )
    return Accepted(request_id=str(request_id), input=body, received_timestamp=received_timestamp)


@app.post("/verification-output")
async def accept_output(body: Output):
    await app.state.pool.execute(
        "update floor set body = $2, at = now() where id = $1", body.request.request_id, body.model_dump_json()
    )
    return {"status": "applied"}


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)  # uvicorn's own; who comes early waits
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    print(json.dumps({"msg": "listening", "url": url}), flush=True)
    uvicorn.Server(uvicorn.Config(app, access_log=False)).run(sockets=[listener])
