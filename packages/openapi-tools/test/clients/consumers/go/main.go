// A provider's program in Go, over the generated client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	iv "github.com/GIT_USER_ID/GIT_REPO_ID"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func request(callbackUrl string) iv.RequestInfo {
	return *iv.NewRequestInfo(
		*iv.NewPatientInfo("TEST-BENEFITS-DENTAL"),
		*iv.NewPayerInfo(iv.Payer("Payer Plan 1")),
		*iv.NewProviderInfo("1234567893", "Main Street Dental"),
		callbackUrl,
	)
}

func delivered() iv.ResponseModel {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("IV_WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	headers := http.Header{}
	headers.Set("webhook-id", os.Getenv("WEBHOOK_ID"))
	headers.Set("webhook-timestamp", os.Getenv("WEBHOOK_TIMESTAMP"))
	headers.Set("webhook-signature", os.Getenv("WEBHOOK_SIGNATURE"))
	body := []byte(os.Getenv("WEBHOOK_BODY"))
	if err := webhook.Verify(body, headers); err != nil {
		panic(err)
	}
	var result iv.ResponseModel
	if err := json.Unmarshal(body, &result); err != nil {
		panic(err)
	}
	return result
}

func main() {
	config := iv.NewConfiguration()
	config.Servers = iv.ServerConfigurations{{URL: os.Getenv("IV_URL")}}
	client := iv.NewAPIClient(config)
	keys := map[string]iv.APIKey{"apiKey": {Key: os.Getenv("IV_KEY")}}
	ctx := context.WithValue(context.Background(), iv.ContextAPIKeys, keys)

	created, _, err := client.IntakeAPI.RequestsCreate(ctx).RequestInfo(request("https://clinic.example/verified")).Execute()
	if err != nil {
		panic(err)
	}
	id := created.GetRequestId()
	state := created.State
	for tries := 0; state == "pending" && tries < 100; tries++ {
		time.Sleep(200 * time.Millisecond)
		read, _, err := client.IntakeAPI.RequestsGet(ctx, id).Execute()
		if err != nil {
			panic(err)
		}
		state = read.State
	}
	benefits, _, err := client.OutputAPI.RequestsBenefits(ctx, id).Execute()
	if err != nil {
		panic(err)
	}
	_, absent, _ := client.IntakeAPI.RequestsGet(ctx, "req_00000000000000000000000000").Execute()
	_, refused, _ := client.IntakeAPI.RequestsCreate(ctx).RequestInfo(request("no address")).Execute()
	result := delivered()

	sent, _, err := client.IntakeAPI.BatchesCreate(ctx).IdempotencyKey("visits").Body(os.Getenv("IV_ROWS")).Execute()
	if err != nil {
		panic(err)
	}
	batch, _, err := client.IntakeAPI.BatchesGet(ctx, sent.BatchId).Execute()
	if err != nil {
		panic(err)
	}
	file, _, err := client.IntakeAPI.BatchesResults(ctx, sent.BatchId).Execute()
	if err != nil {
		panic(err)
	}
	results, err := io.ReadAll(file)
	if err != nil {
		panic(err)
	}
	deliveries, _, err := client.DeliveryAPI.DeliveriesList(ctx).Execute()
	if err != nil {
		panic(err)
	}
	event := ""
	for _, delivery := range deliveries.Items {
		if delivery.RequestId.Get() == nil {
			event = string(*delivery.EventType.Get())
		}
	}
	fmt.Printf(`{"state":"%s","coverages":%d,"absent":%d,"refused":%d,"delivered":"%s","plans":%d,`+
		`"rows":%d,"lines":%d,"event":"%s"}`,
		state, len(benefits.Coverages), absent.StatusCode, refused.StatusCode,
		result.Request.State, len(result.InsuranceData),
		batch.Counters.Received, strings.Count(string(results), "\n"), event)
}
