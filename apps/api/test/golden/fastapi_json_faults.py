"""Writes fastapi-json-faults.json: what FastAPI answers to bodies that are not JSON, and to odd ones that are.

    python3.11 -m venv /tmp/fastapi-venv
    /tmp/fastapi-venv/bin/pip install fastapi==0.142.2 pydantic==2.13.5 httpx
    /tmp/fastapi-venv/bin/python apps/api/test/golden/fastapi_json_faults.py

Python 3.13 moved the position of a trailing comma in an object; the clients' reference, and so this file, is older.
"""

import json
import sys
from pathlib import Path

import fastapi
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

assert sys.version_info < (3, 13), sys.version


class AnyObject(BaseModel):
    pass


app = FastAPI()


@app.post("/")
def post(body: AnyObject):
    return None


client = TestClient(app, raise_server_exceptions=False)

VALID = '{"a": [1, -2.5e+3, "x\\u12ab\\n", true, false, null], "b": {"c": "😀é"}}'


def texts():
    # What is cut off.
    yield from (VALID[:length] for length in range(1, len(VALID)))
    # Commas and colons.
    yield from ["[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]", "[1:2]", '{"a":1,}', '{,}', '{"a":1,,"b":2}', '{"a" 1}', '{"a"}', '{"a",1}', '{"a":}', '{"a"::1}', '{"a":1 "b":2}', "{1:2}", "{a:1}", "{'a':1}", '{null:1}', '{"a":1;}', '[1}', '{"a":1]', "[1", "{", "[", "]", "}", ",", ":", '[{]', '{"a":[}', '[[[[1]]]', '[1]]', '{}}', '{"a":1, }', '[1, ]', '[ , ]', '{ "a" : 1 , }', '{"a":1,\n}', '{"é😀":1,}']
    # Words.
    yield from ["hello", "nul", "nulll", "Null", "NULL", "tru", "True", "TRUE", "fals", "False", "none", "None", "undefined", "nan", "infinity", "[nope]", '{"a": nope}', "[tru]", "[truee]", '{"a":truefalse}', "[null,nul]", "nu ll", "'a'", "`a`", "#", "// x", "/* x */ 1", "[1 // x\n]", "<xml/>", "a=1", "\\", "@", "é", "😀", "[é]", '{"a":😀}']
    # Numbers.
    yield from ["01", "-01", "00", "1.", "1.e1", ".5", "-.5", "+1", "++1", "-", "--1", "-a", "1e", "1e+", "1e-", "1E", "1ee5", "1e5.5", "1.2.3", "1-2", "1+2", "0x10", "0b1", "0o7", "1_000", "1,000", "1 000", "١", "1١", "[01]", "[-]", "[1.]", "[1e]", '{"a":01}', '{"a":-}', '{"a":1.}', '{"a":1e+}', "-Infinit", "-Inf", "-NaN", "[+1]", "[.5]", "1e5e5", "2.", "0.", "0e", "0.e1", "-0.", "1a", "0a", "[1a]", "\u22121"]
    # Strings.
    yield from ['"', '"a', '"\\', '"\\"', '"a\\', '"\\u', '"\\u1', '"\\u12', '"\\u123', '"\\u1234', '"\\uZZZZ"', '"\\u12G4"', '"\\u 123"', '"\\u+123"', '"\\u0x12"', '"\\U1234"', '"\\x41"', '"\\a"', '"\\\'"', '"\\0"', '"\\ "', '"\\é"', '"\\😀"', '"\n"', '"\t"', '"a\rb"', '"\0"', '"\u001f"', '"é\n"', '"😀\n"', '"😀\\q"', '"😀', '"a" "b"', '"a"b', 'a"b"', '"\\ud800', '"\\ud800"x', '"\\ud800\\', '"\\ud800\\u', '"\\ud800\\u12', '"\\ud800\\uZZZZ"', '"\\ud800\\uDC0G"', '"\\ud83d\\ude00"x', '"\\ud83d\\n\\q"', '["a\nb"]', '{"a\n":1}', '{"a":"b\n"}', '{"a', '{"a"', '{"\\q":1}', '{"a":"', '{"a":"b', '{"a":"b"', '"\u2028\n"', '"\x7f\x00"', "\"\\u12", '["😀😀😀", "é", x]']
    # Space, marks and second values.
    yield from [" ", "  \n\t\r ", "\n", "\ufeff", "\ufeff ", "\ufeff[1,]", "\ufeffé", " \ufeff1", "1 \ufeff", "\u00a01", "1\u00a0", "\u20281", "\x0b1", "\x0c1", "1\x00", "\x00", "\x001", "[1]\x00", "1 2", "{}{}", "{} {}", "[] []", "{},{}", "null null", '"a",', "1,", "[1],", "{}x", "{}\n\nx", "  {}  x", "é {}", '"é" 😀', "1\n2", "true false"]
    # Deep, and long.
    yield from ["[" * 900, '{"a":' * 900, "[" * 900 + "]" * 899, "[" * 500 + "x", "[1," * 300, '{"a":[' * 200 + "}", "[" + "1," * 2000 + "]", '"' + "é" * 3000, '"' + "😀" * 3000 + "\n", " " * 5000 + "x", "1" * 4000 + "x"]
    # What is JSON, though odd.
    yield from [VALID, "1", "-0", "1e400", "1E-400", "true", '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\x7f"', '{"a":1,"a":2}', '{"__proto__":1}', '{"":{"":0}}', " {} ", "\ufeff{}", "[]", "\n[\t]\r", "12345678901234567890", '"\u2028"', '"\\/"']


def ask(text):
    answer = client.post("/", content=text.encode(), headers={"content-type": "application/json"})
    if answer.status_code == 200:
        return None
    if answer.status_code != 422:
        return {"status": answer.status_code}
    entry = answer.json()["detail"][0]
    return {key: entry[key] for key in ("loc", "msg", "type")}


if __name__ == "__main__":
    cases = [{"text": text, "detail": ask(text)} for text in dict.fromkeys(texts())]
    about = f"What FastAPI {fastapi.__version__} on Python 3.{sys.version_info[1]} answers; written by fastapi_json_faults.py. Null: accepted. A status: it failed."
    rows = ",\n".join("  " + json.dumps(case) for case in cases)
    Path(__file__).with_name("fastapi-json-faults.json").write_text(f'{{"about": {json.dumps(about)}, "cases": [\n{rows}\n]}}\n')
    print(len(cases), sum((case["detail"] or {}).get("type") == "json_invalid" for case in cases))
