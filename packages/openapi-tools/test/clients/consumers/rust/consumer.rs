// A provider's program in Rust, over the generated client.
use openapi::apis::configuration::{ApiKey, Configuration};
use openapi::apis::{delivery_api, intake_api, output_api, Error};
use openapi::models::{PatientInfo, Payer, PayerInfo, ProviderInfo, ReceivedBatch, RequestInfo, RequestState, ResponseModel};
use reqwest::header::HeaderMap;
use standardwebhooks::Webhook;
use std::env::var;

fn request(callback_url: &str) -> RequestInfo {
    RequestInfo::new(
        PatientInfo::new("TEST-BENEFITS-DENTAL".to_string()),
        PayerInfo::new(Payer::PayerPlan1),
        ProviderInfo::new("1234567893".to_string(), "Main Street Dental".to_string()),
        callback_url.to_string(),
    )
}

fn status_of<T, E>(answer: Result<T, Error<E>>) -> u16 {
    match answer {
        Err(Error::ResponseError(response)) => response.status.as_u16(),
        _ => 0,
    }
}

fn delivered() -> ResponseModel {
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", var("WEBHOOK_ID").unwrap().parse().unwrap());
    headers.insert("webhook-timestamp", var("WEBHOOK_TIMESTAMP").unwrap().parse().unwrap());
    headers.insert("webhook-signature", var("WEBHOOK_SIGNATURE").unwrap().parse().unwrap());
    let body = var("WEBHOOK_BODY").unwrap();
    let webhook = Webhook::new(&var("IV_WEBHOOK_SECRET").unwrap()).unwrap();
    webhook.verify(body.as_bytes(), &headers).unwrap();
    serde_json::from_str(&body).unwrap()
}

/// The generated `batches_create` sends a text as JSON.
async fn send_batch(config: &Configuration) -> ReceivedBatch {
    let request = config
        .client
        .post(format!("{}/batches", config.base_path))
        .header("x-key", var("IV_KEY").unwrap())
        .header("idempotency-key", "visits")
        .header("content-type", "application/x-ndjson")
        .body(var("IV_ROWS").unwrap());
    request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}

#[tokio::main]
async fn main() {
    let mut config = Configuration::new();
    config.base_path = var("IV_URL").unwrap();
    config.api_key = Some(ApiKey { prefix: None, key: var("IV_KEY").unwrap() });

    let sent = request("https://clinic.example/verified");
    let created = intake_api::requests_create(&config, sent, None, None, None).await.unwrap();
    let id = created.request_id.unwrap();
    let mut state = created.state;
    for _ in 0..100 {
        if state != RequestState::Pending {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        state = intake_api::requests_get(&config, &id).await.unwrap().state;
    }
    let benefits = output_api::requests_benefits(&config, &id, None).await.unwrap();
    let absent = status_of(intake_api::requests_get(&config, "req_00000000000000000000000000").await);
    let refused = status_of(intake_api::requests_create(&config, request("no address"), None, None, None).await);
    let result = delivered();

    let batch_id = send_batch(&config).await.batch_id;
    let batch = intake_api::batches_get(&config, &batch_id).await.unwrap();
    let answer = intake_api::batches_results(&config, &batch_id, None, None, None).await.unwrap();
    let results = answer.text().await.unwrap();
    let deliveries = delivery_api::deliveries_list(
        &config, None, None, None, None, None, None, None, None, None, None, None, None, None,
    );
    let deliveries = deliveries.await.unwrap();
    let of_event = deliveries.items.iter().find(|delivery| delivery.request_id.is_none()).unwrap();
    println!(
        "{{\"state\":\"{}\",\"coverages\":{},\"absent\":{},\"refused\":{},\"delivered\":\"{}\",\"plans\":{},\"rows\":{},\"lines\":{},\"event\":\"{}\"}}",
        state,
        benefits.coverages.len(),
        absent,
        refused,
        result.request.state,
        result.insurance_data.len(),
        batch.counters.received,
        results.lines().count(),
        of_event.event_type.unwrap()
    );
}
