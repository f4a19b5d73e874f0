import org.openapitools.client.ApiClient;
import org.openapitools.client.JSON;
import org.openapitools.client.model.ResponseModel;

/** What the generator's library `okhttp-gson`, its default, names in its own way. */
class Library {
  static ApiClient client(String url, String key) {
    ApiClient client = new ApiClient();
    client.setBasePath(url);
    client.setApiKey(key);
    return client;
  }

  static ResponseModel read(String body) {
    return JSON.deserialize(body, ResponseModel.class);
  }
}
