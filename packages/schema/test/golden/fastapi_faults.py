"""Writes fastapi-faults.json: what FastAPI answers to several hundred single faults, for models written from the spec.

    python3 -m venv /tmp/fastapi-venv
    /tmp/fastapi-venv/bin/pip install fastapi==0.142.2 pydantic==2.13.5 httpx
    /tmp/fastapi-venv/bin/python packages/schema/test/golden/fastapi_faults.py
"""

import copy
import json
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated

import fastapi
import pydantic
from fastapi import Body, FastAPI, Query
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field, HttpUrl

Payer = Enum("Payer", {f"P{n}": f"Payer Plan {n}" for n in (1, 2, 3, 4)}, type=str)
RequestState = Enum(
    "RequestState", {v: v for v in ("pending", "complete", "error_verifying", "error_sending_webhook")}, type=str
)
VerificationSource = Enum(
    "VerificationSource",
    {v: v for v in ("manual_web_portal", "manual_phone_call", "agent_web_portal", "agent_phone_call", "api")},
    type=str,
)
EligibilityStatus = Enum("EligibilityStatus", {v: v for v in ("Active", "Inactive")}, type=str)


class PatientInfo(BaseModel):
    subscriber_id: str
    dob: str = ""
    name: str | None = None
    address: str | None = None


class PayerInfo(BaseModel):
    name: Payer
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
    cpt_code_coverage: list[str] | None = None
    callback_url: HttpUrl


class RequestModel(BaseModel):
    request_id: str | None
    input: RequestInfo
    received_timestamp: datetime
    state: RequestState
    error_reason: str | None = None


class PlanInfo(BaseModel):
    payer_name: Payer = Payer.P1
    plan_name: str | None = None
    eligibility_status: EligibilityStatus | None = None
    start_date: date | None = None
    end_date: date | None = None
    cpt_code_coverage: list[str] | None = None


class InsurancePlanData(BaseModel):
    uuid: str | None = None
    person_uuid: str
    request_id: str | None = None
    verification_time: datetime
    verification_source: VerificationSource
    notes: str | None = None
    patient_info: PatientInfo
    plan_info: PlanInfo


class ResponseModel(BaseModel):
    request: RequestModel
    insurance_data: list[InsurancePlanData]


app = FastAPI()


@app.post("/RequestInfo")
def request_info(body: RequestInfo):
    return None


@app.post("/ResponseModel")
def response_model(body: ResponseModel):
    return None


@app.post("/date_time")
def date_time(value: Annotated[datetime, Body(embed=True)]):
    return None


@app.post("/date")
def date_(value: Annotated[date, Body(embed=True)]):
    return None


@app.post("/url")
def url(value: Annotated[HttpUrl, Body(embed=True)]):
    return None


@app.get("/limit")
def limit(limit: Annotated[int, Query(ge=1, le=100)] = 20):
    return limit


@app.post("/name")
def name(value: Annotated[str, Body(embed=True), Field(min_length=1, max_length=200)]):
    return None


client = TestClient(app, raise_server_exceptions=False)


def ask(path, body):
    answer = client.post(path, content=json.dumps(body), headers={"content-type": "application/json"})
    if answer.status_code == 200:
        return None
    if answer.status_code != 422:
        return [{"loc": [], "msg": f"HTTP {answer.status_code}", "type": "crash"}]
    return [{k: entry[k] for k in ("loc", "msg", "type")} for entry in answer.json()["detail"]]


def value_cases(path, inputs):
    cases = []
    # FastAPI takes a null parameter for an absent one; null in a field is among the bodies.
    for value in dict.fromkeys(json.dumps(i) for i in inputs if i is not None):
        detail = ask(path, {"value": json.loads(value)})
        row = {"input": json.loads(value)}
        if detail is not None:
            assert len(detail) == 1, detail
            row |= {"type": detail[0]["type"], "msg": detail[0]["msg"]}
        cases.append(row)
    return cases


INFO = {
    "patient_info": {"subscriber_id": "s", "dob": "1990-01-02", "name": "n", "address": "a"},
    "payer_info": {"name": "Payer Plan 1", "phone_number": "1"},
    "provider_info": {"npi": "1", "name": "n", "tin": "t", "organization_name": "o"},
    "cpt_code_coverage": ["99213"],
    "callback_url": "https://x.example/cb",
}
RESPONSE = {
    "request": {
        "request_id": "r",
        "input": INFO,
        "received_timestamp": "2026-01-01T00:00:00Z",
        "state": "complete",
        "error_reason": "e",
    },
    "insurance_data": [
        {
            "uuid": "u",
            "person_uuid": "p",
            "request_id": "r",
            "verification_time": "2026-01-01T00:00:00Z",
            "verification_source": "api",
            "notes": "n",
            "patient_info": {"subscriber_id": "s", "dob": "1990-01-02", "name": "n", "address": "a"},
            "plan_info": {
                "payer_name": "Payer Plan 1",
                "plan_name": "n",
                "eligibility_status": "Active",
                "start_date": "2026-01-01",
                "end_date": "2026-12-31",
                "cpt_code_coverage": ["99213"],
            },
        }
    ],
}
WRONG = [None, True, False, 0, 5, 1.5, "", "x", [], [None], [1], ["a", 2], {}, {"a": 1}]


def paths_in(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths_in(inner, (*path, key))


ABSENT = object()


def changed(body, path, value):
    if not path:
        return value
    body = copy.deepcopy(body)
    holder = body
    for key in path[:-1]:
        holder = holder[key]
    if value is ABSENT:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return body


def body_cases(model, body):
    cases = []
    for path in paths_in(body):
        values = list(WRONG) + ([ABSENT] if path else [])
        for value in values:
            sent = changed(body, path, value)
            row = {"model": model, "path": list(path)}
            if value is not ABSENT:
                row["value"] = value
            row["detail"] = ask(f"/{model}", sent)
            cases.append(row)
    return cases


def date_times():
    yield from [None, True, False, 0, 5, -1, 1.5, 1700000000, 1e20, [], {}, ["2026-01-01T00:00:00Z"]]
    yield from ["", "x", "yesterday", "now", "0", "5", "-5", "1.5", "1700000000", "1700000000000", "1e5", "nan", "NaN", "Infinity"]
    base = "2026-03-04"
    yield from [base, "2026-3-4", "2026-1-1", "2026/01/01", "01/02/2026", "20260304", "20260304T000000Z", "26-03-04", "2026-03", "2026-W10-3", "2026-063"]
    for d in ["2026-13-01", "2026-00-01", "2026-02-29", "2024-02-29", "1900-02-29", "2000-02-29", "2026-02-30", "2026-04-31", "2026-01-00", "2026-01-32", "0000-01-01", "0001-01-01", "9999-12-31", "10000-01-01", "+2026-01-01", "-2026-01-01", "２０２６-01-01", "202a-01-01", "2026-a1-01", "2026-01-a1", "2026-01-0a", "2026_01-01", "2026-01_01", " 2026-01-01", "2026-01-01 "]:
        yield d
        yield f"{d}T00:00:00Z"
        yield f"{d}T10:20:30Z"
    for sep in ["T", "t", " ", "_", "", "  ", "-", "X", "\t", "\n", "\u00a0", "/"]:
        yield f"{base}{sep}00:00:00Z"
        yield f"{base}{sep}10:20:30Z"
    times = ["00:00", "00:00:00", "10:20", "10:20:30", "23:59:59", "24:00:00", "24:00", "25:00:00", "00:60:00", "00:00:60", "23:59:60", "0:0:0", "1:02:03", "01:2:03", "01:02:3", "1020", "102030", "10", "10:", "10:2", "10:20:", "10:20:3", "10:20:30:40", "ab:cd:ef", "10-20-30", "10:2a:30", "10:20:3a", "１０:20:30"]
    fractions = ["00:00:00.0", "00:00:00.000000", "00:00:00.0000000", "00:00:00.0000001", "00:00:00.000001", "10:20:30.1", "10:20:30.123", "10:20:30.123456", "10:20:30.123456789", "10:20:30.1234567890123456789", "10:20:30,5", "10:20:30.", "10:20:30.a", "10:20.5", "00:00:00,000"]
    for t in times + fractions:
        yield f"{base}T{t}Z"
        yield f"{base}T{t}"
    for z in ["Z", "z", "+00:00", "-00:00", "+05:30", "-05:30", "+0530", "+05", "+5", "+5:30", "+23:59", "+24:00", "-24:00", "+99:99", "+05:60", "+00:60", "+05:3", "+05:", "+", "-", "+aa:bb", "+05-30", " Z", "Z ", "ZZ", "UTC", "GMT", " UTC", "[UTC]", "\u221205:30", "\u2212", "\u2212aa", "–05:30", " +05:30", "Z\n", "\n", "\0", "+05:30:15", "+000:00", "+05:300", "é", "日", "−0530"]:
        yield f"{base}T10:20:30{z}"
        yield f"{base}T00:00:00{z}"
        yield f"{base}T00:00{z}"
    yield from ["é", "日本", "日本語日", "2026-01-0日", "2026-03-04T日本", "\ud800", "2026-03-04T10:20:30\ud800", "\0", "2026-03-04T10:20:30Z and more", "Wed, 04 Mar 2026 10:20:30 GMT", "2026-03-04T10:20:30Z" + "0" * 200, "March 4, 2026", "2026-03-04T", "2026-03-04T1", "2026-03-04Z", "2026-03-04+00:00", "true", "null", "12345678901", "1234567890.5", "-2026-03-04T10:20:30Z"]


def urls():
    yield from [None, True, 0, 5, 1.5, [], {}, ["https://x.example"]]
    yield from ["", " ", "x", "not a url", "x.example/cb", "//x", "/cb", "?a=b", "#f", ".", "..", ":", "://", ":foo", "1http://x", "localhost", "localhost:3000", "example.com:443/cb", "127.0.0.1", "127.0.0.1:80"]
    for scheme in ["ftp", "ws", "wss", "mailto", "javascript", "file", "data", "blob", "foo", "htt", "httpss", "HTTP", "HTTPS", "Http", "urn", "about", "tel"]:
        yield f"{scheme}://x.example/cb"
        yield f"{scheme}:x.example"
        yield f"{scheme}:"
    yield from ["javascript:alert(1)", "mailto:a@b.example", "file:///etc/passwd", "file://host/x", "file:///", "file://", "data:text/plain,x", "foo://", "foo:///x", "foo://[::1", "foo://ho st/", "foo://h:99999/", "foo://h:port", "foo://%zz/", "ws://", "ftp://", "ftp://h:bad", "ws://[::g]", "wss://256.1.1.1"]
    for host in ["x", "x.example", "X.EXAMPLE", "localhost", "a.b.c.d.e", "x.", "x..", "..", ".", ".x", "x..y", "-x", "x-", "-", "_", "x_y", "*", "*.x", "a" * 63, "a" * 64, "a" * 64 + ".example", ("a" * 60 + ".") * 5 + "example", "1", "1.2", "1.2.3", "1.2.3.4", "1.2.3.4.5", "1.2.3.4.", "256.1.1.1", "1.256.1.1", "1.1.1.256", "1.1.256", "0x7f.1", "0x7f.0.0.1", "0x", "0x.0x", "0xg", "x.0x", "x.0xg", "017700000001", "08", "09.1.1.1", "08.x", "x.08", "x.1", "x.1.", "x.1a", "2130706433", "4294967295", "4294967296", "99999999999", "1.2.3.4x", "foo.0", "0", "①②⑦.⓪.⓪.①", "１.1.1.1", "127.1", "0..0", "1..2", "1.2.3.4..", "[::1]", "[::]", "[1::]", "[::1", "[", "[]", "]", "x]", "[::g]", "[:]", "[1:2]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8:9]", "[::1.2.3.4]", "[::1.2.3]", "[::1.2.3.256]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1]x", "[::1].x", "x[::1]", "[v1.a]", "[1.2.3.4]", "[::ffff:7f00:1]", "[ ::1]", "::1", "1:2:3", "münchen.example", "日本.example", "xn--mnchen-3ya.example", "xn--", "xn--a", "xn--a.example", "xn--zzzzzzz", "xn--é", "xn--0.pt", "xn--1", "ß.example", "faß.de", "I❤.ws", "😀.example", "\u200d", "a\u200db.example", "\u00ad", "\u00ad.example", "a\u00adb.example", "\u2024", "x\u3002y", "ｘ.example", "\ufffd.example", "\u202e.example", "א1.example", "1א.example", "aא.example", "%41.example", "%zz.example", "%.example", "%", "x%20y", "x%2fy", "x%00y", "%e4%bd%a0", "%ff", "%31%32%37.1", "%5B::1%5D", "x y", "x<y", "x>y", "x^y", "x|y", "x`y", "x{y}", 'x"y', "x'y", "x!y", "x$y", "x&y", "x(y)", "x;y", "x=y", "x,y", "x+y", "x~y", "x\u007fy", "x\u0000y", "x\u0001y", "x\u001fy", "x\ty", "x\ny", "x\ry", "\ud800.example", "a--b.example", "ab--c.example", "\u2260.example", "=\u0338.example", "\u1e9e.example", "xn--pokxncvks", "a\u0301.example", "\u0301.example"]:
        yield f"https://{host}/cb"
        yield f"https://{host}"
        yield f"https://u:p@{host}:8443/cb?q#f"
    for port in ["", "0", "80", "443", "8443", "65535", "65536", "99999", "999999999999", "-1", "+1", "a", "8a", "a8", " 80", "80 ", "0x50", "8 0", "00080", "0000000000080", "80:80", "８０", "%38%30", "80\t", "8\t0", "é"]:
        yield f"https://x.example:{port}/cb"
        yield f"https://[::1]:{port}/cb"
        yield f"http://x.example:{port}"
        yield f"http://256.1.1.1:{port}"
        yield f"http://:{port}/"
    for user in ["u", "u:p", ":p", ":", "", "u@v", "u:p@v", "u%40v", "ü:ß", "u p", "u/p", "u\\p", "u:p:q", "[u", "u]", "\ud800"]:
        yield f"https://{user}@x.example/cb"
        yield f"https://{user}@/cb"
        yield f"https://{user}@"
        yield f"https://{user}@:80/cb"
        yield f"https://{user}@[::1/cb"
    for form in ["http:{}", "http:/{}", "http://{}", "http:///{}", "http:////{}", "http:\\{}", "http:\\\\{}", "http:/\\{}", "http:\\/{}", "http:\\\\\\{}", "HTTP:\\\\{}", " http://{}", "http://{} ", "\thttp://{}", "ht\ttp://{}", "http\n://{}", "http:\t//{}", "http:/\t/{}", "http://\t{}", "http://{}\t", "\0http://{}", "http://{}\0", "\u00a0http://{}", "http://{}\u00a0", "\ufeffhttp://{}", "http ://{}", "http: //{}", "http:// {}", "http;//{}", "http:?{}", "http:#{}", "http://?{}", "http://#{}", "http:///?{}"]:
        yield form.format("x.example/cb")
        yield form.format("")
        yield form.format(":80/cb")
        yield form.format("@/cb")
    for tail in ["", "/", "/a b", "/a\\b", "\\a", "/%zz", "/%", "/é", "/日本", "/\u202e", "/\ud800", "/\0", "/<>", "/a|b", "/..", "/../../x", "/%2e%2e/x", "?q", "?q=é", "?\ud800", "?a b", "#f", "#é", "#", "?", "/'\"`", "/{}", "/^", "//", "///x", "/;a=b", "/a:b@c", "/\t", "/\n", "/ ", "/[", "/]", "?[", "#[", "/😀"]:
        yield f"https://x.example{tail}"
    for length in [2083, 2084]:
        for filler in ["a", "é", "日", "😀", "%", " ", "\t"]:
            start = "https://x.example/"
            yield start + filler * (length - len(start))
    yield from ["http://.①", "http://。65536", "http://_​。0x7f:", "http://xn--443..99999", "https://%zzßftp%25eth01.2.3.4", "foo://xn--a", "foo://xn--a:80", "foo://xn--\t:80["]
    yield from ["https://" + "a" * 2076, "x" * 2084, " " * 2084, "ftp://x.example/" + "a" * 2100, "https://x.example/" + "é" * 1032, "https://x.example/" + "é" * 1033, "https://é.example/" + "a" * 2065, "https://é.example/" + "a" * 2064]


def limits():
    yield from ["", "5", "05", "1", "100", "0", "101", "-1", "+5", " 5", "5 ", "5.0", "5.", "5.5", ".5", "1e1", "0x5", "1_0", "_1", "1_", "1__0", "abc", "null", "true", "５", "99999999999999999999", "1" * 5000, "5,5", "\t5", "\u00a05", "--5", "5.00", "-0", "+-5", "1_0.0", "0_1", "5.0_0", "+ 5"]


def limit_cases():
    cases = []
    for text in limits():
        answer = client.get("/limit", params={"limit": text})
        row = {"input": text}
        if answer.status_code == 200:
            row["value"] = answer.json()
        else:
            entry = answer.json()["detail"][0]
            row |= {"type": entry["type"], "msg": entry["msg"]}
        cases.append(row)
    return cases


if __name__ == "__main__":
    golden = {
        "about": (
            f"What FastAPI {fastapi.__version__} with pydantic {pydantic.VERSION} answers, for models written from the "
            "spec; written by fastapi_faults.py. A row without a type was accepted. Where ours differs on purpose, "
            "fastapi-faults.test.ts says so."
        ),
        "request_info": INFO,
        "response_model": RESPONSE,
        "date_time": value_cases("/date_time", date_times()),
        "date": value_cases("/date", date_times()),
        "url": value_cases("/url", urls()),
        "limit": limit_cases(),
        "name": value_cases("/name", ["", "a", "a" * 200, "a" * 201, "😀" * 200, "😀" * 101, None, 5]),
        "bodies": body_cases("RequestInfo", INFO) + body_cases("ResponseModel", RESPONSE),
    }
    lines = []
    for key, value in golden.items():
        if isinstance(value, list):
            rows = ",\n".join("    " + json.dumps(row) for row in value)
            lines.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    Path(__file__).with_name("fastapi-faults.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print({key: len(value) for key, value in golden.items() if isinstance(value, list)})
