// A provider's program in Rust, over the generated client.
use openapi::apis::configuration::{ApiKey, Configuration};
use openapi::apis::{intake_api, output_api, Error};
use openapi::models::{PatientInfo, Payer, PayerInfo, ProviderInfo, RequestInfo, RequestState};

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

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut config = Configuration::new();
    config.base_path = args[1].clone();
    config.api_key = Some(ApiKey { prefix: None, key: args[2].clone() });

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
    println!(
        "{{\"state\":\"{}\",\"coverages\":{},\"absent\":{},\"refused\":{}}}",
        state,
        benefits.coverages.len(),
        absent,
        refused
    );
}
