import com.standardwebhooks.Webhook
import java.net.URI
import kotlin.system.exitProcess
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import org.openapitools.client.apis.DeliveryApi
import org.openapitools.client.apis.IntakeApi
import org.openapitools.client.apis.OutputApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.PatientInfo
import org.openapitools.client.models.Payer
import org.openapitools.client.models.PayerInfo
import org.openapitools.client.models.ProviderInfo
import org.openapitools.client.models.ReceivedBatch
import org.openapitools.client.models.RequestInfo
import org.openapitools.client.models.RequestState
import org.openapitools.client.models.ResponseModel

// A provider's program in Kotlin, over the generated client.

fun request(callbackUrl: String) = RequestInfo(
    patientInfo = PatientInfo(subscriberId = "TEST-BENEFITS-DENTAL"),
    payerInfo = PayerInfo(name = Payer.decode("Payer Plan 1")!!),
    providerInfo = ProviderInfo(npi = "1234567893", name = "Main Street Dental"),
    callbackUrl = URI.create(callbackUrl),
)

fun statusOf(call: () -> Any): Int =
    try {
        call()
        0
    } catch (err: ClientException) {
        err.statusCode
    }

fun delivered(env: Map<String, String>): ResponseModel {
    val body = env.getValue("WEBHOOK_BODY")
    val headers = listOf("id", "timestamp", "signature").associate { name ->
        "webhook-$name" to listOf(env.getValue("WEBHOOK_${name.uppercase()}"))
    }
    Webhook(env.getValue("IV_WEBHOOK_SECRET")).verify(body, headers)
    return Serializer.moshi.adapter(ResponseModel::class.java).fromJson(body)!!
}

/** The generated `batchesCreate` sends a text as JSON. */
fun sendBatch(env: Map<String, String>): ReceivedBatch {
    val post = Request.Builder()
        .url("${env.getValue("IV_URL")}/batches")
        .header("x-key", env.getValue("IV_KEY"))
        .header("idempotency-key", "visits")
        .header("content-type", "application/x-ndjson")
        .post(env.getValue("IV_ROWS").toRequestBody())
        .build()
    val answer = OkHttpClient().newCall(post).execute().use { it.body.string() }
    return Serializer.moshi.adapter(ReceivedBatch::class.java).fromJson(answer)!!
}

fun main() {
    val env = System.getenv()
    ApiClient.apiKey["x-key"] = env.getValue("IV_KEY")
    val intake = IntakeApi(env.getValue("IV_URL"))

    var request = intake.requestsCreate(request("https://clinic.example/verified"))
    val id = request.requestId!!
    repeat(100) {
        if (request.state != RequestState.pending) return@repeat
        Thread.sleep(200)
        request = intake.requestsGet(id)
    }
    val benefits = OutputApi(env.getValue("IV_URL")).requestsBenefits(id)
    val absent = statusOf { intake.requestsGet("req_00000000000000000000000000") }
    val refused = statusOf { intake.requestsCreate(request("ftp://clinic.example")) }
    val result = delivered(env)

    val batchId = sendBatch(env).batchId
    val batch = intake.batchesGet(batchId)
    val results = intake.batchesResults(batchId).readLines()
    val deliveries = DeliveryApi(env.getValue("IV_URL")).deliveriesList()
    val event = deliveries.items.first { it.requestId == null }.eventType!!.value
    println(
        """{"state":"${request.state}","coverages":${benefits.coverages.size},"absent":$absent,"refused":$refused,""" +
            """"delivered":"${result.request.state}","plans":${result.insuranceData.size},""" +
            """"rows":${batch.counters.received},"lines":${results.size},"event":"$event"}""",
    )
    exitProcess(0)
}
