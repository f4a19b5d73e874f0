import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ResponseModel;

/** What the generator's library `native` names in its own way. */
class Library {
  static ApiClient client(String url, String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(call -> call.header("x-key", key));
    return client;
  }

  static ResponseModel read(String body) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(body, ResponseModel.class);
  }
}
