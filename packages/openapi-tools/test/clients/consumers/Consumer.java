import java.net.URI;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.IntakeApi;
import org.openapitools.client.api.OutputApi;
import org.openapitools.client.model.PatientInfo;
import org.openapitools.client.model.Payer;
import org.openapitools.client.model.PayerInfo;
import org.openapitools.client.model.ProviderInfo;
import org.openapitools.client.model.RequestBenefits;
import org.openapitools.client.model.RequestInfo;
import org.openapitools.client.model.RequestModel;
import org.openapitools.client.model.RequestState;

/** A provider's program in Java, over the generated client. */
public class Consumer {
  static RequestInfo request(String callbackUrl) {
    return new RequestInfo()
        .patientInfo(new PatientInfo().subscriberId("TEST-BENEFITS-DENTAL"))
        .payerInfo(new PayerInfo().name(Payer.fromValue("Payer Plan 1")))
        .providerInfo(new ProviderInfo().npi("1234567893").name("Main Street Dental"))
        .callbackUrl(URI.create(callbackUrl));
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(call -> call.header("x-key", args[1]));
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
    System.out.printf("{\"state\":\"%s\",\"coverages\":%d,\"absent\":%d,\"refused\":%d}%n",
        request.getState().getValue(), benefits.getCoverages().size(), absent, refused);
  }
}
