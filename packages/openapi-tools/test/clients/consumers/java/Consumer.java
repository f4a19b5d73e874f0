import com.standardwebhooks.Webhook;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DeliveryApi;
import org.openapitools.client.api.IntakeApi;
import org.openapitools.client.api.OutputApi;
import org.openapitools.client.model.Batch;
import org.openapitools.client.model.DeliverySummary;
import org.openapitools.client.model.PatientInfo;
import org.openapitools.client.model.Payer;
import org.openapitools.client.model.PayerInfo;
import org.openapitools.client.model.ProviderInfo;
import org.openapitools.client.model.RequestBenefits;
import org.openapitools.client.model.RequestInfo;
import org.openapitools.client.model.RequestModel;
import org.openapitools.client.model.RequestState;
import org.openapitools.client.model.ResponseModel;

/** A provider's program in Java, over the generated client. */
public class Consumer {
  static RequestInfo request(String callbackUrl) {
    return new RequestInfo()
        .patientInfo(new PatientInfo().subscriberId("TEST-BENEFITS-DENTAL"))
        .payerInfo(new PayerInfo().name(Payer.fromValue("Payer Plan 1")))
        .providerInfo(new ProviderInfo().npi("1234567893").name("Main Street Dental"))
        .callbackUrl(URI.create(callbackUrl));
  }

  static ResponseModel delivered() throws Exception {
    String body = System.getenv("WEBHOOK_BODY");
    Map<String, List<String>> headers = Map.of(
        "webhook-id", List.of(System.getenv("WEBHOOK_ID")),
        "webhook-timestamp", List.of(System.getenv("WEBHOOK_TIMESTAMP")),
        "webhook-signature", List.of(System.getenv("WEBHOOK_SIGNATURE")));
    new Webhook(System.getenv("IV_WEBHOOK_SECRET")).verify(body, headers);
    return Library.read(body);
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = Library.client(System.getenv("IV_URL"), System.getenv("IV_KEY"));
    IntakeApi intake = new IntakeApi(client);

    RequestModel request = intake.requestsCreate(request("https://clinic.example/verified"), null, null, null);
    String id = request.getRequestId();
    for (int tries = 0; request.getState() == RequestState.PENDING && tries < 100; tries++) {
      Thread.sleep(200);
      request = intake.requestsGet(id);
    }
    RequestBenefits benefits = new OutputApi(client).requestsBenefits(id, null);
    int absent = 0;
    int refused = 0;
    try {
      intake.requestsGet("req_00000000000000000000000000");
    } catch (ApiException err) {
      absent = err.getCode();
    }
    try {
      intake.requestsCreate(request("ftp://clinic.example"), null, null, null);
    } catch (ApiException err) {
      refused = err.getCode();
    }
    ResponseModel result = delivered();

    String rows = System.getenv("IV_ROWS");
    String batchId = intake.batchesCreate("visits", rows, null, null, null, null, null).getBatchId();
    Batch batch = intake.batchesGet(batchId);
    File results = intake.batchesResults(batchId, null, null, null);
    List<DeliverySummary> deliveries = new DeliveryApi(client)
        .deliveriesList(null, null, null, null, null, null, null, null, null, null, null, null, null)
        .getItems();
    String event = "";
    for (DeliverySummary delivery : deliveries)
      if (delivery.getRequestId() == null) event = delivery.getEventType().getValue();
    System.out.printf(
        "{\"state\":\"%s\",\"coverages\":%d,\"absent\":%d,\"refused\":%d,\"delivered\":\"%s\",\"plans\":%d,"
            + "\"rows\":%d,\"lines\":%d,\"event\":\"%s\"}%n",
        request.getState().getValue(), benefits.getCoverages().size(), absent, refused,
        result.getRequest().getState().getValue(), result.getInsuranceData().size(),
        batch.getCounters().getReceived(), Files.readAllLines(results.toPath()).size(), event);
    System.exit(0);
  }
}
