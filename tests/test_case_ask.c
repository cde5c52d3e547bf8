/* Questions as people ask them find the fact that answers them, and others find none. */
#include "tests/cases.h"

#include "drills/case_ask.h"
#include "sims/base/array.h"

#include <ctype.h>

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void drop(void)
{
	tables_release(&tables);
}

TestSuite(case_ask, .init = load, .fini = drop);

/* fact: the id of the one that is asked for; "": nothing here answers it; "?": it asks for two things at
 * once, and must be asked again. */
struct asked {
	const char *fact, *question;
};

static const struct asked serve[] = {
	{ "model", "Which model exactly, and does it use grouped-query attention?" },
	{ "model", "Is it a dense model or a mixture of experts?" },
	{ "load", "How many requests per second do we have to serve at peak?" },
	{ "load", "What QPS are we designing for?" },
	{ "load", "How many concurrent users do you expect?" },
	{ "load", "What's the traffic like?" },
	{ "prompt", "How long are the prompts?" },
	{ "prompt", "What's the typical input length in tokens?" },
	{ "prompt", "How much context does a conversation carry?" },
	{ "answer", "How many output tokens per request?" },
	{ "answer", "And how long are the responses?" },
	{ "answer", "What is the average completion length?" },
	{ "ttft", "What's the target for time to first token?" },
	{ "ttft", "How soon must the first token show up?" },
	{ "ttft", "How long may a user wait before it starts to answer?" },
	{ "gap", "What inter-token latency do we need?" },
	{ "gap", "What TPOT is acceptable?" },
	{ "gap", "How fast should tokens stream to each user?" },
	{ "hardware", "Which GPUs are available to us?" },
	{ "hardware", "What hardware can I use?" },
	{ "hardware", "Do the machines have NVLink? What instance types?" },
	{ "quality", "May I quantize the weights?" },
	{ "quality", "Did anyone evaluate FP8?" },
	{ "quality", "How much quality loss would be acceptable?" },
	{ "budget", "Is there a budget?" },
	{ "budget", "How much can we spend on this?" },
	{ "night", "Does the traffic vary over the day, at night for instance?" },
	{ "night", "Can we autoscale?" },
	{ "?", "What are the latency requirements?" },
	{ "", "Where do the users live, and is there a GDPR constraint?" },
	{ "", "Who maintains the training pipeline?" },
	{ "", "What colour is the logo?" },
	{ "", "How do we authenticate customers?" },
	{ "", "Which monitoring do you use?" },
	{ "model", "what's the model?" },
	{ "load", "how many req/s at peak" },
	{ "ttft", "TTFT and TPOT SLO at p95?" },
	{ "prompt", "prompt and output length" },
	{ "hardware", "which GPUs and how many can I have, and what do they cost?" },
	{ "quality", "does fp8 pass evals?" },
	{ "prompt", "is the system prompt shared?" },
	{ "night", "what is the peak to average ratio?" },
	{ "", "what's the availability target?" },
	{ "prompt", "multi-turn?" },
};

static const struct asked thinking[] = {
	{ "model", "Which model is it, and how many KV heads does it have?" },
	{ "model", "Could a distilled, smaller model do it?" },
	{ "load", "What request rate do we see at the peak?" },
	{ "load", "How many people use it concurrently?" },
	{ "prompt", "How long is a typical prompt?" },
	{ "prompt", "How many input tokens are there per request?" },
	{ "answer", "How many tokens does it think for?" },
	{ "answer", "How long is an answer, thinking included?" },
	{ "answer", "How are the output lengths distributed?" },
	{ "patience", "How quickly must the whole answer be there?" },
	{ "patience", "What is the end-to-end latency target?" },
	{ "patience", "Is the thinking hidden from the user?" },
	{ "patience", "What TPOT do we promise?" },
	{ "ttft", "Is there a TTFT goal?" },
	{ "ttft", "How soon should the first token appear?" },
	{ "hardware", "What GPUs can I rent?" },
	{ "hardware", "Do we get H200s?" },
	{ "quality", "Was FP8 evaluated on long chains?" },
	{ "quality", "May the KV cache be quantized?" },
	{ "budget", "What's the budget?" },
	{ "budget", "How much may it cost an hour?" },
	{ "today", "What does the existing fleet look like?" },
	{ "today", "What do you run today?" },
	{ "drafts", "Do we have a draft model for speculative decoding?" },
	{ "drafts", "Could we use EAGLE or Medusa heads?" },
	{ "?", "What are the latency goals?" },
	{ "", "Is the reward model public?" },
	{ "", "Which languages do you support?" },
	{ "", "Who owns the data centre?" },
	{ "", "Do you log conversations?" },
};

static const struct asked moving[] = {
	{ "model", "What model do you serve?" },
	{ "model", "How many layers and parameters has it?" },
	{ "today", "How is it deployed on the A100s now?" },
	{ "today", "What's the current configuration?" },
	{ "load", "How many requests come per second?" },
	{ "load", "How many developers use it at the peak?" },
	{ "prompt", "How long are the prompts?" },
	{ "prompt", "How much code is sent along as context?" },
	{ "answer", "How long is a completion?" },
	{ "answer", "How many output tokens do you generate?" },
	{ "latency", "What latency do we have to keep?" },
	{ "latency", "Is there a goal for the first token, at which percentile?" },
	{ "offer", "Which accelerators can we choose from?" },
	{ "offer", "Is the H200 an option?" },
	{ "software", "Does our software need CUDA?" },
	{ "software", "Could we port it to AMD?" },
	{ "quality", "Which precision passed the evaluations?" },
	{ "quality", "Is FP8 accurate enough?" },
	{ "bill", "What do we pay at the moment?" },
	{ "bill", "How much has to be saved?" },
	{ "", "Which editors are supported?" },
	{ "", "Who signed the lease?" },
	{ "", "Is telemetry collected?" },
};

static const struct asked halve[] = {
	{ "model", "What model is it?" },
	{ "model", "How many KV heads does it have?" },
	{ "model", "Could we switch to a smaller model?" },
	{ "today", "What's the current setup?" },
	{ "today", "How is it deployed right now?" },
	{ "today", "What serving stack runs today?" },
	{ "bill", "How much are we paying?" },
	{ "bill", "What is the bill at the moment?" },
	{ "bill", "What does it cost per hour?" },
	{ "load", "What's the request rate at peak?" },
	{ "load", "How many users are there?" },
	{ "memory", "What utilization do we see?" },
	{ "prompt", "How long are prompts?" },
	{ "prompt", "Input length?" },
	{ "answer", "How long are the answers it writes?" },
	{ "answer", "How many tokens are generated per request?" },
	{ "latency", "What latency did we promise?" },
	{ "latency", "Is there an SLA?" },
	{ "latency", "How fast must it be, P99 or mean?" },
	{ "quality", "Has quantization been evaluated?" },
	{ "quality", "Is INT8 good enough?" },
	{ "quality", "Would an FP8 cache hurt accuracy?" },
	{ "hardware", "Are we bound to these GPUs by contract?" },
	{ "hardware", "Could we move to H100?" },
	{ "hardware", "What other accelerators could we rent?" },
	{ "memory", "What fills the GPU memory?" },
	{ "memory", "What does the dashboard show as the bottleneck?" },
	{ "", "Which framework was it trained with?" },
	{ "", "Is there a data residency rule?" },
	{ "", "Who is on call at night?" },
	{ "", "Do you use Kubernetes?" },
	{ "bill", "what's on the bill today, in dollars per month?" },
	{ "today", "which GPUs are rented and how many?" },
	{ "model", "which model, how many params?" },
	{ "load", "what traffic over the day - is it flat?" },
	{ "latency", "what latency do users need?" },
	{ "load", "do you autoscale?" },
	{ "memory", "what's the utilisation of the fleet?" },
	{ "quality", "may we quantise?" },
	{ "quality", "can we quantise the weights?" },
	{ "quality", "may we quantize?" },
	{ "quality", "can we quantize the weights?" },
	{ "hardware", "spot instances or reserved contract?" },
	{ "", "is there batch work that can run at night?" },
	{ "hardware", "when does the contract end?" },
	{ "bill", "is half the target, or as low as possible?" },
	{ "hardware", "how much engineering time do we have?" },
	{ "model", "could we use a smaller model?" },
	{ "latency", "what's the p99 now?" },
	{ "quality", "is fp8 acceptable for quality?" },
	{ "today", "how many GPUs run now and how are they set up?" },
	{ "load", "is traffic flat over the day?" },
	{ "quality", "may we use int4?" },
};

static const struct asked scale[] = {
	{ "model", "What are you training?" },
	{ "model", "Which model, and how many parameters?" },
	{ "cluster", "What GPUs are these?" },
	{ "cluster", "How many GPUs per node?" },
	{ "network", "What's the network between the nodes?" },
	{ "network", "How fast is the interconnect?" },
	{ "network", "InfiniBand or Ethernet, and how many NICs per node?" },
	{ "batch", "Did you keep the global batch size?" },
	{ "batch", "Is that strong scaling or weak scaling?" },
	{ "batch", "Could the batch be larger, would it converge?" },
	{ "overlap", "Is communication overlapped with the backward pass?" },
	{ "overlap", "Are you using DDP with buckets?" },
	{ "overlap", "Do you have a profiler trace of a step?" },
	{ "goal", "Twice as fast by which metric?" },
	{ "goal", "How do you measure the speed-up?" },
	{ "goal", "What's the goal, time to train or throughput?" },
	{ "stragglers", "Are there any stragglers?" },
	{ "stragglers", "How much do step times vary from GPU to GPU?" },
	{ "stragglers", "Is the cluster shared with others, noise from them?" },
	{ "input", "Does the data loader keep up?" },
	{ "input", "Where does the data come from, local disk or a network file system?" },
	{ "input", "Are CPUs the limit when decoding JPEGs?" },
	{ "money", "Can we buy something?" },
	{ "money", "What's the budget for upgrades?" },
	{ "", "What is the licence of the data set?" },
	{ "", "Who owns the repository?" },
	{ "", "How warm is the data centre?" },
	{ "", "Are checkpoints encrypted?" },
};

static const struct asked drive[] = {
	{ "meaning", "50 ms measured from where to where?" },
	{ "meaning", "Is that a mean or a P99?" },
	{ "meaning", "Is it the end-to-end latency?" },
	{ "today", "What does the current pipeline look like?" },
	{ "today", "Which stages are there and how long does each take?" },
	{ "today", "Where does the time go today?" },
	{ "cameras", "How many cameras are there?" },
	{ "cameras", "Do we need every camera at highway speed?" },
	{ "cameras", "What sensors do we have?" },
	{ "rate", "What frame rate do the cameras run at?" },
	{ "rate", "How many frames per second?" },
	{ "rate", "At what speed does the car drive?" },
	{ "platform", "What's the compute platform?" },
	{ "platform", "Can I change the chip?" },
	{ "platform", "Could we use Thor or Orin?" },
	{ "weeks", "How much time do we have until the release?" },
	{ "weeks", "How many engineers are on the team?" },
	{ "weeks", "What is the schedule?" },
	{ "jitter", "How much do the stages vary?" },
	{ "jitter", "Is there jitter from the scheduler?" },
	{ "accuracy", "Can I quantize to INT8?" },
	{ "accuracy", "Would we lose detection accuracy?" },
	{ "", "What's the training data?" },
	{ "", "How big is the fleet?" },
	{ "", "Which insurance pays?" },
	{ "", "Is the code written in Rust?" },
	{ "meaning", "50 ms from when to when: photon to plan? mean or p99?" },
	{ "today", "what is in the 200 ms, stage by stage?" },
	{ "today", "what makes up the 200 ms?" },
	{ "today", "where do the 200 ms go?" },
	{ "platform", "Which chip is in the car?" },
	{ "today", "Do stages run one after another or pipelined?" },
	{ "rate", "How many frames per second must come out?" },
	{ "", "how large is the network, how many FLOPs per frame?" },
	{ "accuracy", "is int8 or fp8 allowed? what about accuracy" },
	{ "platform", "Power and thermal budget?" },
	{ "", "Does anything else run on the GPU, e.g. a slow job?" },
	{ "", "how long is exposure and readout" },
	{ "", "is there safety certification, redundancy" },
	{ "cameras", "Do all cameras need the full network?" },
	{ "meaning", "what happens if a frame is late or dropped?" },
	{ "today", "Is preprocessing on CPU, the decoder?" },
	{ "platform", "can we change the camera or the chip" },
	{ "", "who launches kernels: CUDA graphs or eager?" },
	{ "jitter", "how much jitter" },
	{ "", "does the car have redundancy or a second computer?" },
	{ "meaning", "how much may the pipeline drop frames?" },
	{ "platform", "is Thor available now?" },
};

static const struct asked failing[] = {
	{ "model", "What are you training, how many parameters?" },
	{ "model", "How big is one checkpoint?" },
	{ "cluster", "How many GPUs do you have?" },
	{ "cluster", "What does the cluster look like?" },
	{ "failures", "How often does something fail?" },
	{ "failures", "What's the MTBF?" },
	{ "failures", "How many interruptions do you see per day?" },
	{ "checkpoint", "How often do you checkpoint?" },
	{ "checkpoint", "Are checkpoints synchronous or asynchronous?" },
	{ "storage", "How fast is the storage?" },
	{ "storage", "What's the write bandwidth of the file system?" },
	{ "restart", "How long does a restart take?" },
	{ "restart", "What happens between the crash and recovery, do you have spare nodes?" },
	{ "restart", "How do you detect failures, and how long until training resumes?" },
	{ "effort", "How many engineers can work on this?" },
	{ "effort", "When does it have to be done?" },
	{ "goal", "How exactly do you define goodput?" },
	{ "goal", "What's the target?" },
	{ "money", "What does a GPU hour cost you?" },
	{ "money", "How long is the run planned for?" },
	{ "", "What data do you train on?" },
	{ "", "Is the loss curve smooth?" },
	{ "", "Which cloud region are you in?" },
};

static const struct asked fast[] = {
	{ "model", "Which model is it?" },
	{ "model", "Could a smaller model do?" },
	{ "today", "What's the current setup?" },
	{ "today", "How is it served today?" },
	{ "today", "Do you have a profile of what runs now?" },
	{ "target", "Is it the first token or the tokens after it?" },
	{ "target", "Three times as fast by which metric?" },
	{ "target", "How long are the answers?" },
	{ "users", "Is there really one user at a time?" },
	{ "users", "What batch size do we run?" },
	{ "users", "How many concurrent requests?" },
	{ "context", "How long is the prompt?" },
	{ "context", "How large is the KV cache?" },
	{ "hardware", "What GPUs do we have?" },
	{ "hardware", "Can I use more GPUs?" },
	{ "hardware", "Is there NVLink?" },
	{ "hardware", "What's the budget?" },
	{ "quality", "May I quantize to FP8?" },
	{ "quality", "Was INT4 evaluated?" },
	{ "quality", "Do the answers have to stay exactly the same?" },
	{ "draft", "Is there a draft model with the same tokenizer?" },
	{ "draft", "What acceptance rate would speculative decoding have?" },
	{ "draft", "Could we use EAGLE or Medusa heads?" },
	{ "", "In which city is the data centre?" },
	{ "", "Which colour has the interface?" },
	{ "", "Is the training data public?" },
	{ "", "Who wrote the client?" },
};

static const struct asked longer[] = {
	{ "model", "What's the architecture, how many layers?" },
	{ "model", "How many KV heads does the model have?" },
	{ "today", "What layout did you use for pre-training so far?" },
	{ "today", "How was the model trained until now?" },
	{ "length", "How long are the documents?" },
	{ "length", "Do you pack several documents into one sequence?" },
	{ "length", "Is there an attention mask between documents?" },
	{ "tokens", "How many tokens will we train on?" },
	{ "tokens", "How big is the data set for this?" },
	{ "cluster", "How many GPUs do I get?" },
	{ "cluster", "What hardware is there, and is there NVLink in a node?" },
	{ "network", "What's the bandwidth between nodes?" },
	{ "network", "Is the fabric InfiniBand or Ethernet?" },
	{ "batch", "What global batch size may I use?" },
	{ "batch", "How many tokens per step?" },
	{ "memory", "How full may the memory get?" },
	{ "memory", "Should I leave some memory for fragmentation?" },
	{ "software", "Which framework, and does it support ring attention?" },
	{ "software", "May I train in FP8?" },
	{ "deadline", "When does it have to be finished?" },
	{ "deadline", "What's the deadline?" },
	{ "success", "How do we evaluate the long context?" },
	{ "success", "What about regressions on short prompts?" },
	{ "success", "Is there a needle in a haystack test?" },
	{ "", "Who are the customers?" },
	{ "", "What does a GPU hour cost?" },
	{ "", "Where do you store the checkpoints?" },
	{ "", "Which licence does it have?" },
};

static const struct asked train[] = {
	{ "model", "Which architecture is it?" },
	{ "model", "Is the model dense, and how many layers has it?" },
	{ "tokens", "How many tokens do we train on?" },
	{ "tokens", "How large is the training set?" },
	{ "cluster", "What GPUs do we have and how many?" },
	{ "cluster", "How much memory does each GPU have?" },
	{ "network", "How fast is the network between nodes?" },
	{ "network", "Is it InfiniBand?" },
	{ "batch", "What's the largest global batch you would accept?" },
	{ "batch", "What sequence length?" },
	{ "batch", "How many tokens per step?" },
	{ "memory", "How much memory headroom do I have to leave?" },
	{ "software", "Which framework do you use?" },
	{ "software", "Could we train in FP8?" },
	{ "deadline", "Is the month a hard deadline?" },
	{ "deadline", "Do the 30 days include failures and restarts?" },
	{ "deadline", "Any slack in the schedule?" },
	{ "", "What will the model be used for?" },
	{ "", "Who pays the electricity?" },
	{ "", "Do you need multilingual support?" },
};

static const struct asked noon[] = {
	{ "model", "Which model do you serve?" },
	{ "setup", "How is the service deployed?" },
	{ "setup", "Are prefill and decode separated?" },
	{ "load", "Is there more traffic at noon?" },
	{ "load", "How many requests per second come in?" },
	{ "prompts", "Did the prompts change?" },
	{ "prompts", "How long are the inputs at noon?" },
	{ "prompts", "Has the request mix changed?" },
	{ "answers", "Are the answers longer than before?" },
	{ "latency", "What's the SLO?" },
	{ "latency", "What latency was promised, and at which percentile?" },
	{ "symptom", "What do the dashboards say?" },
	{ "symptom", "Is there a queue somewhere?" },
	{ "symptom", "Do you have a trace of a slow request?" },
	{ "gpus", "Can we get more GPUs?" },
	{ "gpus", "What's the budget?" },
	{ "precision", "Is FP8 allowed?" },
	{ "precision", "Could we quantize?" },
	{ "link", "How fast is the network between the pools?" },
	{ "setup", "Was there a software release last week?" },
	{ "", "Who was on call?" },
	{ "", "Is the training cluster affected?" },
};

static const struct asked mixture[] = {
	{ "model", "Which mixture is it, and how many experts does it have?" },
	{ "model", "How many experts does a token take?" },
	{ "machines", "What GPUs can we get?" },
	{ "machines", "Are all GPUs on NVLink?" },
	{ "machines", "How fast is the network between the nodes?" },
	{ "rate", "How many tokens per second do you need?" },
	{ "rate", "What throughput?" },
	{ "gap", "What is the latency target?" },
	{ "gap", "How long may a step take?" },
	{ "favourites", "Is the routing balanced?" },
	{ "favourites", "Are some experts chosen more often than others?" },
	{ "context", "How long are the contexts?" },
	{ "precision", "May I use FP4?" },
	{ "precision", "Which precision has been evaluated?" },
	{ "prefill", "Does prefill run on the same machines?" },
	{ "", "Which customers will use it?" },
	{ "", "What does the licence say?" },
	{ "", "How was it trained?" },
	{ "model", "Which model exactly - how many experts and how many are active per token?" },
	{ "gap", "What are the latency targets? p99 TPOT and TTFT?" },
	{ "rate", "how much traffic, i.e. requests per second at peak?" },
	{ "context", "How long are prompts and outputs?" },
	{ "machines", "what GPUs can I get?" },
	{ "prefill", "What about TTFT?" },
	{ "", "budget? who pays?" },
	{ "precision", "can I quantise the weights to fp8 or fp4, and what does quality say?" },
	{ "", "what fraction of the tokens share a prefix?" },
	{ "favourites", "is the routing balanced, or are some experts hot?" },
	{ "", "what happens if one GPU of the rack dies?" },
	{ "", "is there speculative decoding / a draft model?" },
	{ "", "how much power does the rack draw, is there a cap" },
	{ "machines", "What's NVLink bandwidth and how much HBM per GPU" },
	{ "prefill", "does prefill run on the same GPUs?" },
	{ "prefill", "no, I mean the time to first token target" },
	{ "favourites", "are we allowed to drop tokens?" },
	{ "favourites", "can experts be replicated?" },
	{ "machines", "can we buy more racks?" },
};

static const struct asked documents[] = {
	{ "model", "Which model do you run?" },
	{ "model", "How many layers and KV heads does it have?" },
	{ "documents", "How long are the documents?" },
	{ "documents", "How many tokens does a typical contract have?" },
	{ "documents", "How much context goes in with each question?" },
	{ "open", "How many different documents are in use at the same time?" },
	{ "open", "Do several people ask about the same document?" },
	{ "open", "How many contracts are open at once?" },
	{ "load", "How many questions come per second?" },
	{ "load", "How many questions do you answer per minute?" },
	{ "load", "What's the request rate at the peak?" },
	{ "load", "How many users are there?" },
	{ "answers", "How long are the answers?" },
	{ "answers", "How many output tokens do we generate?" },
	{ "pace", "How fast must tokens come?" },
	{ "pace", "What latency did we promise?" },
	{ "pace", "Is there a target for the first token?" },
	{ "pace", "What TTFT do you want?" },
	{ "gpus", "How many GPUs do we have?" },
	{ "gpus", "What's the budget?" },
	{ "gpus", "Can we buy more cards?" },
	{ "quality", "May the KV cache be FP8?" },
	{ "quality", "Has quantization been evaluated?" },
	{ "quality", "How much accuracy may we lose?" },
	{ "today", "What runs today?" },
	{ "today", "What's the current setup?" },
	{ "today", "Is prefix caching on at the moment?" },
	{ "today", "Is the KV cache paged?" },
	{ "order", "How is the prompt built?" },
	{ "order", "What comes first in the prompt, the document or the question?" },
	{ "privacy", "Are the documents confidential?" },
	{ "privacy", "Is there a tenant isolation rule?" },
	{ "privacy", "May documents of different customers share memory?" },
	{ "", "Which file format do they upload?" },
	{ "", "Which languages are the contracts in?" },
	{ "", "Who is on call?" },
	{ "", "How was the model trained?" },
	{ "", "Which cloud provider hosts it?" },
	{ "documents", "how long is a contract in tokens?" },
	{ "model", "which model do you serve and in what precision are weights and cache" },
	{ "gpus", "what hardware does it run on?" },
	{ "pace", "how fast must an answer start?" },
	{ "pace", "tokens per second per user?" },
	{ "today", "how is the KV cache allocated, paged or contiguous?" },
	{ "quality", "how much does accuracy suffer with an fp8 KV cache?" },
	{ "model", "can I use another model, with GQA or sliding window?" },
	{ "today", "what is the max batch now" },
	{ "", "can we chunk or retrieve instead of feeding the whole doc?" },
	{ "", "who are the users, lawyers?" },
	{ "gpus", "how many GPUs may I buy?" },
	{ "", "is there offload to CPU memory?" },
	{ "documents", "What's the distribution of lengths, p50 and p95?" },
	{ "today", "what does 'crawls' mean in numbers" },
};

static const struct asked single[] = {
	{ "model", "Which model is it?" },
	{ "model", "How many parameters does it have?" },
	{ "server", "What hardware do we have?" },
	{ "server", "Can we buy another server?" },
	{ "server", "How much memory has the GPU?" },
	{ "server", "What's the budget?" },
	{ "load", "How many requests per second are there?" },
	{ "load", "How many people use it?" },
	{ "prompts", "How long are the prompts?" },
	{ "prompts", "How many input tokens per request?" },
	{ "prompts", "Is there a prefix that all prompts share?" },
	{ "answers", "How long are the answers?" },
	{ "answers", "How many tokens are generated?" },
	{ "spread", "Do the lengths vary much?" },
	{ "spread", "What does the distribution of lengths look like?" },
	{ "first", "How soon must the first token appear?" },
	{ "first", "What's the TTFT target?" },
	{ "gap", "How fast must tokens come after that?" },
	{ "gap", "What inter-token latency is acceptable?" },
	{ "quality", "May I quantise the weights?" },
	{ "quality", "Was FP8 evaluated?" },
	{ "quality", "Is INT4 good enough?" },
	{ "today", "How is it served today?" },
	{ "today", "How are requests batched at the moment?" },
	{ "today", "Is it static or continuous batching?" },
	{ "today", "What's the batch size?" },
	{ "today", "Which serving stack do you use?" },
	{ "symptom", "What do the dashboards show?" },
	{ "symptom", "How busy is the GPU?" },
	{ "symptom", "Is there a queue?" },
	{ "symptom", "How full is the GPU memory?" },
	{ "?", "What latency did we promise?" },
	{ "?", "Is the SLO on P99 or on the mean?" },
	{ "", "Is it a chat or a batch job?" },
	{ "", "Which operating system is on it?" },
	{ "", "Is the data encrypted?" },
	{ "", "Who has root access?" },
	{ "", "Which languages do people write in?" },
};

static const struct asked ethernet[] = {
	{ "model", "What model are you training?" },
	{ "model", "How many parameters does it have?" },
	{ "model", "Is it pure data parallel, or is anything sharded?" },
	{ "gradients", "Are gradients reduced in FP32 or BF16?" },
	{ "gradients", "Could we compress the gradients?" },
	{ "gradients", "Would lower precision be acceptable?" },
	{ "cluster", "How many nodes and GPUs are there?" },
	{ "cluster", "Which accelerators do you use?" },
	{ "network", "How fast is the network?" },
	{ "network", "How many NICs does a node have?" },
	{ "network", "Do the GPUs of a node share one port?" },
	{ "network", "Can the switches do in-network reduction like SHARP?" },
	{ "hops", "What's the latency between nodes?" },
	{ "hops", "Is RDMA enabled, RoCE for instance?" },
	{ "compute", "How long does the backward pass take?" },
	{ "compute", "How long is a step without communication?" },
	{ "compute", "Could a larger micro-batch fit in memory?" },
	{ "batch", "What's the global batch size?" },
	{ "batch", "May we accumulate gradients over several steps?" },
	{ "batch", "Could we do local SGD?" },
	{ "loop", "Does communication overlap with backward already?" },
	{ "loop", "What bucket size do you use?" },
	{ "loop", "Which all-reduce algorithm does NCCL pick?" },
	{ "goal", "How much waiting would be acceptable?" },
	{ "goal", "What's the target?" },
	{ "money", "Can we buy more network?" },
	{ "money", "What's the budget?" },
	{ "", "Where does the training data come from?" },
	{ "", "Who runs the data centre?" },
	{ "", "How often do you write checkpoints?" },
	{ "", "Which tokenizer is it?" },
	{ "model", "What model is it, and how many parameters?" },
	{ "cluster", "How many nodes, how many GPUs per node?" },
	{ "cluster", "which GPUs?" },
	{ "network", "what's the NIC speed per node, and is it shared by the GPUs?" },
	{ "compute", "how long is a step today, and how much is compute?" },
	{ "goal", "what is the target step time?" },
	{ "model", "is it plain DDP or FSDP?" },
	{ "gradients", "what dtype are the gradients reduced in?" },
	{ "goal", "what goal do we have to hit? how fast must it be" },
	{ "goal", "which share of the step may be waiting?" },
	{ "goal", "what's the deadline or who decides it's good enough?" },
	{ "loop", "which all-reduce algorithm does NCCL use, ring or tree?" },
	{ "loop", "what bucket size are you using?" },
	{ "loop", "does communication overlap with the backward pass?" },
	{ "batch", "how big is the global batch and can we raise it, gradient accumulation?" },
	{ "", "what's the sequence length?" },
	{ "hops", "what is the latency of a hop, TCP or RoCE?" },
	{ "money", "is there money for better network cards?" },
	{ "loop", "have you profiled it? what does the trace say?" },
	{ "network", "are other jobs sharing the network?" },
	{ "loop", "how much does a GPU wait now, what fraction of a step?" },
};

static const struct asked smaller[] = {
	{ "network", "What does the network look like?" },
	{ "network", "How many parameters does it have?" },
	{ "network", "How many layers are there?" },
	{ "network", "What data type does it use now?" },
	{ "room", "How much memory is left on the chip?" },
	{ "room", "How small must it get?" },
	{ "room", "What's the size target?" },
	{ "room", "How much flash is there?" },
	{ "quality", "How much accuracy may be lost?" },
	{ "quality", "What error rate is acceptable?" },
	{ "chip", "What arithmetic does the chip have?" },
	{ "chip", "Does it have floating point?" },
	{ "chip", "Can it do INT8?" },
	{ "ranges", "Are there outliers in the activations?" },
	{ "ranges", "What do the activation ranges look like?" },
	{ "images", "What training data is there?" },
	{ "images", "How many labelled images do we have?" },
	{ "images", "Can I use the original data for calibration?" },
	{ "test", "How is accuracy measured?" },
	{ "test", "How large is the test set?" },
	{ "sparse", "Does the chip skip zeros?" },
	{ "sparse", "Is sparsity supported?" },
	{ "sparse", "Does the hardware benefit from pruning?" },
	{ "retrain", "May we retrain it?" },
	{ "retrain", "Can I distil a smaller network?" },
	{ "speed", "How fast must it be?" },
	{ "speed", "What's the latency budget?" },
	{ "speed", "What's the inference time budget?" },
	{ "speed", "Is energy a concern?" },
	{ "", "Which country are the meters in?" },
	{ "", "Who sends the bills?" },
	{ "", "Is the radio encrypted?" },
	{ "", "Which team owns it?" },
};

static const struct asked feeding[] = {
	{ "job", "What are you training?" },
	{ "job", "How large is a batch?" },
	{ "job", "What resolution do the images have?" },
	{ "compute", "How long does the GPU compute in a step?" },
	{ "compute", "Do you train in BF16, and is the model compiled?" },
	{ "compute", "How long is a training step?" },
	{ "trace", "What does a profiler trace show?" },
	{ "trace", "Are the CPUs busy at all?" },
	{ "trace", "What's the GPU utilization?" },
	{ "prep", "How long does it take to prepare a batch?" },
	{ "prep", "What augmentation do you do?" },
	{ "prep", "How expensive is JPEG decoding?" },
	{ "storage", "Where is the data stored?" },
	{ "storage", "Do you read from NFS or from local disks?" },
	{ "storage", "Are these many small files or large shards?" },
	{ "host", "How many CPU cores are there per GPU?" },
	{ "host", "How much RAM does the node have?" },
	{ "loader", "How many data loader workers do you run?" },
	{ "loader", "Is pinned memory used?" },
	{ "loader", "What prefetch factor is set?" },
	{ "copies", "How much memory does each worker take?" },
	{ "spread", "Do some batches take much longer than others?" },
	{ "spread", "How much does the preparation time vary?" },
	{ "goal", "What's the target?" },
	{ "goal", "How busy do the GPUs have to be?" },
	{ "money", "What's the budget?" },
	{ "money", "How much may we spend?" },
	{ "", "Which loss do you use?" },
	{ "", "Who labels the pictures?" },
	{ "", "Is the network encrypted?" },
	{ "", "Do you write checkpoints?" },
};

static const struct asked slower[] = {
	{ "changes", "What changed in the release?" },
	{ "changes", "Which commits went in last week?" },
	{ "changes", "Was the framework upgraded?" },
	{ "tried", "Did you bisect it?" },
	{ "tried", "What have you tried so far?" },
	{ "tried", "Have you reverted any of the changes?" },
	{ "measured", "How do you measure the 12 %?" },
	{ "measured", "Is it above the noise?" },
	{ "measured", "12 % slower than what baseline?" },
	{ "kernels", "Which model do you train?" },
	{ "kernels", "Did the kernels themselves become slower?" },
	{ "kernels", "How long are forward and backward?" },
	{ "trace", "Do you have a profiler trace?" },
	{ "trace", "What is the GPU waiting for?" },
	{ "trace", "How high is the GPU utilization?" },
	{ "loader", "How many data loader workers are there?" },
	{ "loader", "How long does it take to prepare a batch?" },
	{ "loader", "How many CPU cores do we have?" },
	{ "copy", "Is the memory pinned?" },
	{ "copy", "How long does the host-to-device copy take?" },
	{ "metrics", "How often are the metrics read?" },
	{ "metrics", "Is there a synchronization in the loop, such as .item()?" },
	{ "stays", "Could we simply roll the release back?" },
	{ "stays", "Which of it has to stay?" },
	{ "memory", "How much host memory can I use?" },
	{ "memory", "How much RAM does a worker take?" },
	{ "freeze", "May I switch on mixed precision?" },
	{ "freeze", "Could torch.compile help?" },
	{ "cluster", "Are these the same nodes as before?" },
	{ "cluster", "Did NCCL become slower?" },
	{ "cluster", "Are the GPUs throttled?" },
	{ "", "Who signed off?" },
	{ "", "What does a GPU hour cost?" },
	{ "", "Does the loss still converge?" },
	{ "", "When is the next holiday?" },
};

static const struct asked waiting[] = {
	{ "task", "How long does a task take?" },
	{ "task", "What's the mean service time?" },
	{ "spread", "How much do task durations vary?" },
	{ "spread", "Are there short and long ones?" },
	{ "spread", "How different are the tasks?" },
	{ "spread", "Are the tasks similar to each other?" },
	{ "load", "How many tasks arrive per second?" },
	{ "load", "How many tasks per hour?" },
	{ "load", "What's the request rate?" },
	{ "load", "How much traffic is there at the peak?" },
	{ "arrivals", "Do they come in bursts?" },
	{ "arrivals", "Are arrivals spiky?" },
	{ "promise", "What wait do we promise?" },
	{ "promise", "Is the promise about the P99 or the mean?" },
	{ "promise", "Is there an SLA?" },
	{ "promise", "How soon must a task begin?" },
	{ "promise", "Is it about queueing time or total time?" },
	{ "quota", "How many workers can we have?" },
	{ "quota", "What's the budget?" },
	{ "quota", "Can we buy more workers?" },
	{ "today", "How are tasks handed out today?" },
	{ "today", "How does a task get to a worker?" },
	{ "today", "Has each worker a queue of its own?" },
	{ "today", "What's the current setup?" },
	{ "today", "How many workers run now?" },
	{ "today", "Is it first come, first served?" },
	{ "symptom", "What do the dashboards show?" },
	{ "symptom", "Are workers idle while tasks wait?" },
	{ "symptom", "How busy are the workers?" },
	{ "quality", "May long tasks be cut off?" },
	{ "quality", "Can we set a time limit?" },
	{ "alike", "Can every worker do every task?" },
	{ "alike", "Can any worker take any task?" },
	{ "alike", "Can workers run two tasks at once?" },
	{ "alike", "Do customers share workers?" },
	{ "alike", "How long does a worker take to start?" },
	{ "alike", "Do workers keep state between tasks?" },
	{ "", "Which programming language is it for?" },
	{ "", "Who reviews the code?" },
	{ "", "Are all customers treated alike?" },
	{ "", "Is the traffic encrypted?" },
	{ "", "Which model does the agent use?" },
};

static const struct asked rolling[] = {
	{ "model", "Which model is being trained?" },
	{ "model", "How many layers does it have?" },
	{ "loop", "Is the training loop synchronous?" },
	{ "loop", "How many rollouts are there in a step?" },
	{ "loop", "Does the trainer wait for all rollouts?" },
	{ "lengths", "How long are the rollouts?" },
	{ "lengths", "What is the distribution of output lengths?" },
	{ "lengths", "How many tokens are generated on average?" },
	{ "prompts", "How long are the prompts?" },
	{ "prompts", "What's the input length?" },
	{ "today", "What's the current setup?" },
	{ "today", "Which inference engine do you use?" },
	{ "today", "How many replicas run, and with what tensor parallelism?" },
	{ "trace", "What does GPU utilization look like?" },
	{ "trace", "How many requests are running over time?" },
	{ "trace", "Do you have a profile?" },
	{ "goal", "How much shorter should it be?" },
	{ "goal", "What's the target?" },
	{ "gpus", "How many GPUs do we have?" },
	{ "gpus", "Could I get more hardware?" },
	{ "gpus", "Does the trainer share the GPUs with the rollouts?" },
	{ "precision", "May I use FP8?" },
	{ "precision", "Can we quantize the KV cache?" },
	{ "age", "Could rollouts be off-policy?" },
	{ "age", "May generation and training overlap asynchronously?" },
	{ "cut", "Can we truncate long rollouts?" },
	{ "cut", "Is there a cap on the length?" },
	{ "", "Who writes the reward function?" },
	{ "", "Which country is it in?" },
	{ "", "What is the learning rate?" },
	{ "", "Do you keep checkpoints?" },
};

static const struct asked thor[] = {
	{ "model", "How many parameters does the model have?" },
	{ "model", "Could a smaller, distilled model drive?" },
	{ "limit", "At what rate must the loop run?" },
	{ "limit", "What's the latency target?" },
	{ "limit", "How soon does the car need a plan?" },
	{ "cameras", "How many cameras are there?" },
	{ "cameras", "How many tokens does an image become?" },
	{ "cameras", "What resolution goes in?" },
	{ "action", "How is an action represented?" },
	{ "action", "How many tokens are decoded for a plan?" },
	{ "action", "Does it write a chain of thought first?" },
	{ "precision", "May I quantize the weights?" },
	{ "precision", "Has FP4 been evaluated?" },
	{ "board", "What hardware is in the car?" },
	{ "board", "How much memory bandwidth does the chip have?" },
	{ "encoder", "How long does the vision encoder take?" },
	{ "today", "Which runtime do you use, TensorRT or PyTorch?" },
	{ "today", "What does a profile show?" },
	{ "today", "Where does the time go today?" },
	{ "batch", "Is there more than one request at once, what batch?" },
	{ "batch", "Do you sample several trajectories in parallel?" },
	{ "safety", "What happens if a plan comes late?" },
	{ "safety", "Is there a fallback?" },
	{ "", "Which country will it drive in?" },
	{ "", "How was the training data collected?" },
	{ "", "Who is liable?" },
	{ "", "What does the car cost?" },
};

static const struct asked full[] = {
	{ "model", "Which model are we fine-tuning?" },
	{ "model", "How many parameters and layers does it have?" },
	{ "run", "How is the state sharded today?" },
	{ "run", "Is activation checkpointing on?" },
	{ "run", "What does the FSDP config look like?" },
	{ "run", "Which ZeRO stage is in use?" },
	{ "symptom", "Where exactly does it run out of memory?" },
	{ "symptom", "What does the traceback say?" },
	{ "symptom", "Do you have a memory snapshot?" },
	{ "symptom", "Is it fragmentation?" },
	{ "symptom", "Does memory grow from step to step?" },
	{ "hardware", "What GPUs do we have, and how many?" },
	{ "hardware", "How much memory does each card have?" },
	{ "hardware", "Can I get more GPUs?" },
	{ "sequences", "How long are the sequences?" },
	{ "sequences", "What is the micro-batch size?" },
	{ "sequences", "Do you use gradient accumulation?" },
	{ "sequences", "Could we truncate the samples?" },
	{ "deadline", "When must the run be finished?" },
	{ "deadline", "How many tokens do we train on?" },
	{ "deadline", "How much slower may it become?" },
	{ "optimizer", "Which optimizer is used?" },
	{ "optimizer", "Could we use 8-bit Adam?" },
	{ "optimizer", "May I swap AdamW for Adafactor?" },
	{ "method", "Would LoRA be acceptable?" },
	{ "method", "Does it have to be a full fine-tune?" },
	{ "numerics", "What precision are weights and gradients in?" },
	{ "numerics", "Could we train in FP8?" },
	{ "code", "May I change the model code?" },
	{ "code", "Can we use fused kernels such as Liger?" },
	{ "code", "Is the cross-entropy chunked?" },
	{ "margin", "How much headroom must remain?" },
	{ "margin", "Can I fill the card to the last gigabyte?" },
	{ "host", "How much CPU memory is there for offloading?" },
	{ "host", "How fast is PCIe here?" },
	{ "", "What is the product that it is for?" },
	{ "", "Who labels the data?" },
	{ "", "How is the network between racks?" },
	{ "", "How many users will it serve?" },
};

static const struct asked seven[] = {
	{ "cameras", "How many cameras are there?" },
	{ "cameras", "Do we really need the seventh camera?" },
	{ "cameras", "What resolution do the cameras have?" },
	{ "stages", "Which stages are there and how long does each take?" },
	{ "stages", "Where does the time go today?" },
	{ "stages", "Which of the networks run once per camera?" },
	{ "stages", "What runs on the CPU?" },
	{ "late", "What is the frame budget exactly?" },
	{ "late", "When is a plan late?" },
	{ "late", "How many deadline misses are acceptable?" },
	{ "late", "Is that a mean or a P99?" },
	{ "age", "How old may a plan be?" },
	{ "age", "How far may the car drive blind?" },
	{ "age", "What does the safety case say?" },
	{ "rate", "What frame rate do the cameras run at?" },
	{ "rate", "Can we lower the frame rate?" },
	{ "rate", "How many plans per second are needed?" },
	{ "speed", "How fast does the car drive?" },
	{ "speed", "Is this for motorways or the city?" },
	{ "platform", "What computer is in the car?" },
	{ "platform", "Can the hardware be upgraded?" },
	{ "platform", "Could we use Thor?" },
	{ "gpu", "How busy is the GPU?" },
	{ "gpu", "Do the networks share a GPU?" },
	{ "gpu", "Does the chip throttle when it is hot?" },
	{ "jitter", "How much do the stage times vary?" },
	{ "jitter", "Is there jitter?" },
	{ "weeks", "How many weeks do we have?" },
	{ "weeks", "How much effort is each optimisation?" },
	{ "weeks", "How large is the team?" },
	{ "quality", "Can I use INT8?" },
	{ "quality", "May accuracy drop?" },
	{ "quality", "Could we use a smaller backbone?" },
	{ "", "Who maintains the map?" },
	{ "", "What does the camera cost?" },
	{ "", "Which dataset was it trained on?" },
	{ "", "How many users does the app have?" },
};

static const struct asked faster[] = {
	{ "method", "How did he measure it?" },
	{ "method", "How many runs did he do?" },
	{ "method", "Did he use CUDA events or a CPU timer?" },
	{ "method", "Was there a warm-up?" },
	{ "method", "Is it a mean or a median?" },
	{ "method", "Did he synchronize?" },
	{ "spread", "What is the standard deviation?" },
	{ "spread", "How noisy are the measurements?" },
	{ "spread", "Is the difference significant?" },
	{ "spread", "Are there error bars?" },
	{ "outliers", "Are there outliers?" },
	{ "outliers", "Was anybody else using the machine?" },
	{ "outliers", "Was the machine shared with other jobs?" },
	{ "kernel", "What does the kernel do?" },
	{ "kernel", "How long does one call take?" },
	{ "kernel", "How much data does it read?" },
	{ "kernel", "Is there compilation in the first call?" },
	{ "gpu", "Which GPU was it?" },
	{ "gpu", "Was it the same machine for both?" },
	{ "gpu", "How large is the L2?" },
	{ "use", "Where will the kernel be used?" },
	{ "use", "Is the cache warm in production?" },
	{ "use", "What share of the step is it?" },
	{ "use", "Which kernels run before it?" },
	{ "bar", "What do we have to show to ship it?" },
	{ "bar", "How certain must we be?" },
	{ "bar", "What is the acceptance criterion?" },
	{ "budget", "How much GPU time may the benchmark take?" },
	{ "budget", "Is there a limit on the number of calls?" },
	{ "budget", "Does it have to run in CI?" },
	{ "clocks", "Were the clocks locked?" },
	{ "clocks", "Can I lock the GPU clocks?" },
	{ "clocks", "Does the chip boost?" },
	{ "worth", "What would 3 % be worth?" },
	{ "worth", "How many GPUs run this kernel?" },
	{ "worth", "Are the results still correct?" },
	{ "", "What is his name?" },
	{ "", "Which dataset is the model trained on?" },
	{ "", "How many users does it have?" },
	{ "", "What is the latency target?" },
	{ "method", "What was measured, how, and on which GPU?" },
	{ "spread", "how many runs and what's the spread?" },
	{ "method", "did you warm up before timing?" },
	{ "method", "did you synchronise the GPU?" },
	{ "kernel", "which shapes / batch sizes?" },
	{ "clocks", "are clocks locked?" },
	{ "method", "how much faster does it claim to be?" },
	{ "worth", "what would a wrong decision cost?" },
	{ "method", "are both versions run in the same process, interleaved?" },
	{ "method", "does the l2 cache get flushed between iterations" },
	{ "", "what does the user see end to end?" },
	{ "method", "is the input the same, all zeros?" },
	{ "outliers", "what is the noise from other jobs on this machine?" },
	{ "bar", "what precision must the difference be known to?" },
	{ "bar", "how exactly must we know it, what gain is worth shipping?" },
	{ "budget", "how long may the benchmark take?" },
	{ "budget", "how long can a benchmark take?" },
	{ "bar", "what has to be shown?" },
	{ "bar", "what must be shown to ship it?" },
};

static const struct {
	const char *id;
	const struct asked *asked;
	size_t n;
} tables_of[] = {
	{ "serve-70b", serve, LENGTH(serve) },
	{ "long-answers", thinking, LENGTH(thinking) },
	{ "move-to-another-gpu", moving, LENGTH(moving) },
	{ "halve-the-bill", halve, LENGTH(halve) },
	{ "scale-to-64", scale, LENGTH(scale) },
	{ "200-ms-to-50", drive, LENGTH(drive) },
	{ "failures-at-16384", failing, LENGTH(failing) },
	{ "fast-for-one", fast, LENGTH(fast) },
	{ "train-at-128k", longer, LENGTH(longer) },
	{ "train-in-30-days", train, LENGTH(train) },
	{ "p99-at-noon", noon, LENGTH(noon) },
	{ "mixture-on-72", mixture, LENGTH(mixture) },
	{ "long-documents", documents, LENGTH(documents) },
	{ "one-server", single, LENGTH(single) },
	{ "gradients-over-ethernet", ethernet, LENGTH(ethernet) },
	{ "smaller-model", smaller, LENGTH(smaller) },
	{ "feed-the-gpus", feeding, LENGTH(feeding) },
	{ "regression-of-12-percent", slower, LENGTH(slower) },
	{ "how-many-workers", waiting, LENGTH(waiting) },
	{ "rollouts", rolling, LENGTH(rolling) },
	{ "drive-on-thor", thor, LENGTH(thor) },
	{ "out-of-memory", full, LENGTH(full) },
	{ "perception-budget", seven, LENGTH(seven) },
	{ "is-it-faster", faster, LENGTH(faster) },
};

/* In the terms of the tables: "?" is what should be asked back, "" what no fact answers. */
static bool is_right(const struct design_case *c, const struct case_match *m, const char *fact)
{
	if (m->kind == MATCH_NOTHING)
		return !*fact;
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(c->facts[m->facts[i]].id, fact) == 0)
			return true;
	return m->kind == MATCH_OFFER && (!*fact || *fact == '?');
}

Test(case_ask, nine_of_ten_questions_find_their_fact_and_hardly_any_a_wrong_one)
{
	size_t n = 0, right = 0, wrong = 0, asked_back = 0;
	for (size_t t = 0; t < LENGTH(tables_of); t++) {
		struct design_case c;
		cases_open(&c, &tables, tables_of[t].id);
		for (size_t i = 0; i < tables_of[t].n; i++) {
			const struct asked *a = &tables_of[t].asked[i];
			const struct case_match m = case_ask(&c, a->question);
			const bool ok = is_right(&c, &m, a->fact);
			n++;
			right += ok;
			wrong += !ok && m.kind == MATCH_FACT;
			asked_back += m.kind == MATCH_OFFER;
			if (!ok)
				cr_log_info("%s: \"%s\": expected \"%s\", got %zu, \"%s\"", c.id,
					a->question, a->fact, m.n,
					m.n > 0 ? c.facts[m.facts[0]].id : "");
		}
		case_release(&c);
	}
	cr_log_info("of %zu: %zu right, %zu asked back, %zu wrong", n, right, asked_back, wrong);
	cr_expect(ge(sz, n, 100));
	cr_expect(ge(sz, right * 100, n * 95), "%zu of %zu", right, n);
	cr_expect(le(sz, wrong * 100, n * 2), "%zu of %zu", wrong, n);
	cr_expect(le(sz, asked_back * 100, n * 25), "%zu of %zu", asked_back, n);
}

/* What an author writes down is found as it is written, or asked for once more, never answered by
 * another fact. */
Test(case_ask, each_phrase_finds_its_own_fact)
{
	for (size_t t = 0; t < LENGTH(case_ids); t++) {
		struct design_case c;
		cases_open(&c, &tables, case_ids[t]);
		for (size_t f = 0; f < c.n_facts; f++) {
			size_t found = 0;
			for (size_t i = 0; i < c.facts[f].n_asks; i++) {
				struct case_match m = case_ask(&c, c.facts[f].asks[i]);
				cr_expect(is_right(&c, &m, c.facts[f].id), "%s: \"%s\" is %s", c.id,
					c.facts[f].asks[i], c.facts[m.facts[0]].id);
				cr_expect(ne(int, (int)m.kind, MATCH_NOTHING), "%s: \"%s\"", c.id,
					c.facts[f].asks[i]);
				found += m.kind == MATCH_FACT;
			}
			cr_expect(lt(sz, c.facts[f].n_asks, found * 2), "%s: %s", c.id,
				c.facts[f].id);
		}
		case_release(&c);
	}
}

static const char *understood(const struct design_case *c, const char *question)
{
	struct case_match m = case_ask(c, question);
	return m.kind == MATCH_NOTHING ? "" : m.kind == MATCH_OFFER ? "?" : c->facts[m.facts[0]].id;
}

/* Who wants a thing is not what is asked for, unless nothing else is said. */
Test(case_ask, who_wants_it_is_not_what_is_asked)
{
	static const struct {
		const char *id, *question, *fact;
	} rows[] = {
		{ "serve-70b", "What's the speed people expect?", "gap" },
		{ "serve-70b", "how many people", "load" },
		{ "serve-70b", "how many users do we expect?", "load" },
		{ "serve-70b", "what do users want?", "load" },
		{ "p99-at-noon", "what latency will customers accept?", "latency" },
		{ "fast-for-one", "what latency do users want?", "target" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct design_case c;
		cases_open(&c, &tables, rows[i].id);
		const struct case_match m = case_ask(&c, rows[i].question);
		cr_expect(
			is_right(&c, &m, rows[i].fact), "%s: \"%s\"", rows[i].id, rows[i].question);
		case_release(&c);
	}
}

/* Endings, spelling and case do not matter, and whatever is typed is only a question. */
Test(case_ask, takes_any_text)
{
	struct design_case c;
	char longest[5000];
	cases_open(&c, &tables, "serve-70b");
	cr_expect(eq(str, (char *)understood(&c, "PROMPTS??"), "prompt"));
	cr_expect(eq(str, (char *)understood(&c, "promtps"), "prompt"));
	cr_expect(eq(str, (char *)understood(&c, ""), ""));
	cr_expect(eq(str, (char *)understood(&c, "   ...  42 70 "), ""));
	cr_expect(eq(str, (char *)understood(&c, "what is the"), ""));
	cr_expect(eq(str, (char *)understood(&c, "\xff\xfe\x80 \xe2\x82"), ""));
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	cr_expect(eq(str, (char *)understood(&c, longest), ""));
	for (size_t i = 0; i < sizeof longest - 1; i += 7)
		memcpy(longest + i, i % 14 ? "budget " : "prompt ", i + 7 < sizeof longest ? 7 : 1);
	cr_expect(eq(str, (char *)understood(&c, longest), "?"));
	case_release(&c);
}

/* Who asks for a fact by its very name is not asked whether that is meant. */
Test(case_ask, a_name_is_sure)
{
	for (size_t i = 0; i < LENGTH(case_ids); i++) {
		struct design_case c;
		char question[200];
		cases_open(&c, &tables, case_ids[i]);
		for (size_t k = 0; k < c.n_facts; k++) {
			snprintf(question, sizeof question, " %s ?", c.facts[k].name);
			question[1] = (char)toupper((unsigned char)question[1]);
			const struct case_match m = case_ask(&c, question);
			cr_expect(m.kind == MATCH_FACT && m.facts[0] == k, "%s: %s", case_ids[i],
				question);
		}
		case_release(&c);
	}
}
