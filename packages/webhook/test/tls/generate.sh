#!/bin/sh
# Makes every PEM file of this folder anew: sh packages/webhook/test/tls/generate.sh (openssl 3). The private keys are worth nothing.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ecdsa='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'

# shellcheck disable=SC2086 # the options are meant to split
openssl req -x509 $ecdsa -days 36500 -subj '/CN=Test authority' -keyout "$work/ca.key" -out ca.crt.pem

# name, subject alternative name, first and last day (openssl x509 of 3.0 takes no dates, openssl ca does)
issue() {
  # shellcheck disable=SC2086
  openssl req $ecdsa -subj "/CN=$1" -keyout "$1.key.pem" -out "$work/$1.csr"
  : >"$work/index.txt"
  printf '[ca]\ndefault_ca=d\n[d]\ndatabase=%s/index.txt\nnew_certs_dir=%s\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nx509_extensions=x\n[p]\ncommonName=supplied\n[x]\nsubjectAltName=%s\n' \
    "$work" "$work" "$2" >"$work/ca.cnf"
  openssl ca -batch -notext -config "$work/ca.cnf" -cert ca.crt.pem -keyfile "$work/ca.key" \
    -startdate "$3" -enddate "$4" -in "$work/$1.csr" -out "$1.crt.pem"
}
issue valid DNS:receiver.test,IP:127.0.0.1 20200101000000Z 21200101000000Z
issue expired DNS:receiver.test,IP:127.0.0.1 20200101000000Z 20210101000000Z
issue wrong-host DNS:other.test 20200101000000Z 21200101000000Z

# shellcheck disable=SC2086
openssl req -x509 $ecdsa -days 36500 -subj /CN=self-signed -addext subjectAltName=DNS:receiver.test,IP:127.0.0.1 \
  -keyout self-signed.key.pem -out self-signed.crt.pem
