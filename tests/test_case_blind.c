/* Questions written by somebody who had read the openings of the cases and nothing else of them, neither
 * facts nor the words that facts are found by. What the right fact is was settled afterwards, from the
 * facts and before any question was put.
 *
 * The mark is 90 % right and at most 2 % wrong. When they were first put, the 168 of the first set came
 * out at 120 right (71 %) and 22 wrong (13 %). Then the words were mended, so that the set is blind no
 * more; and five facts now also tell what some of its questions asked in vain, as the table has it.
 * The 84 of the second set are by the same person, who had by then seen the facts and their words, so
 * they are less blind than the first. They were put once after the mending: 66 right (79 %), 10 wrong
 * (12 %). Before the mending they would have come out at 64 and 8: it mended the questions that were
 * known, and did nothing for others. So a stranger is understood four times of five, and the mark is not
 * met. Rules of drills/case_ask.c that were mended after that, and words that were taken back, bring the
 * second set further, but it is known by now: the next figure takes a third set.
 * Of the wrong ones most had a fact that knew little of the question. Since then the interviewer asks
 * back where it is not clear what is meant, and names the two facts that are nearest, as a person would.
 * Then 75 of the 84 (89 %) come to their fact, at once or with "1", "2" or "no", and 2 are told a wrong
 * one; 24 are asked back, 7 of these in vain. What may be offered was chosen with these questions in
 * sight.
 * The 120 of the third set are by somebody else, who had read the openings alone; what is right was
 * labelled from the facts, without their words. Put once: 113 right (94 %), 1 wrong (1 %), and 61 asked
 * back, 12 of these in vain. So the mark is met, if a word more is allowed for half of the questions.
 * The 96 of the fourth set are by another one who had read the openings alone. Put once, before anything
 * was mended for it: 91 right (95 %), 69 of these at once (72 %), 2 wrong (2 %), 24 asked back, 2 of these
 * in vain. With the one rule that a fact is told that is far ahead of all others: 91 right, 79 at once
 * (82 %), 2 wrong, 14 asked back; and of all four sets together 95 asked back rather than 139, 9 wrong rather
 * than 7. Words were mended after that, so what the test prints of the set by now is no blind figure. */
#include "tests/cases.h"

#include "drills/case_ask.h"
#include "sims/base/array.h"

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void drop(void)
{
	tables_release(&tables);
}

TestSuite(case_blind, .init = load, .fini = drop);

/* fact: the id of the one that answers; "": none does. also: another that answers as well, or the other
 * half of a question for two things; NULL: none. */
struct blind {
	const char *id, *fact, *also, *question;
};

/* clang-format off */
static const struct blind first[] = {
	{ "200-ms-to-50", "today", NULL, "What are the stages between the camera and the planner, and how long does each take?" },
	{ "200-ms-to-50", "cameras", NULL, "How many cameras are there, and what resolution?" },
	{ "200-ms-to-50", "today", "platform", "What computer is in the car?" },
	{ "200-ms-to-50", "meaning", NULL, "is the 50 ms a mean or a worst case?" },
	{ "200-ms-to-50", "today", NULL, "Do the stages run one after the other or is anything overlapped already?" },
	{ "200-ms-to-50", "rate", NULL, "How fast do the cameras run, what fps?" },
	{ "200-ms-to-50", "accuracy", NULL, "Are we allowed to retrain or shrink the network, or must accuracy stay exactly as it is?" },
	{ "200-ms-to-50", "accuracy", "today", "What precision does the model run in today, fp16 or int8?" },
	{ "drive-on-thor", "model", NULL, "How big is the model, how many parameters?" },
	{ "drive-on-thor", "limit", NULL, "What rate does the control loop have to run at?" },
	{ "drive-on-thor", "board", NULL, "Which chip do we have in the car and how much memory bandwidth does it have?" },
	{ "drive-on-thor", "action", NULL, "How many tokens does it put out for one plan?" },
	{ "drive-on-thor", "cameras", NULL, "How many image tokens go in per frame, across all cameras?" },
	{ "drive-on-thor", "action", NULL, "Does it think out loud before it gives the trajectory? chain of thought I mean" },
	{ "drive-on-thor", "precision", NULL, "How much may the driving quality drop if I quantize it?" },
	{ "drive-on-thor", "board", NULL, "What else is running on the same SoC?" },
	{ "failures-at-16384", "failures", NULL, "How often does a job get interrupted, what's the MTBF?" },
	{ "failures-at-16384", "checkpoint", "storage", "How long does it take to write a checkpoint?" },
	{ "failures-at-16384", "checkpoint", NULL, "How often do you save checkpoints at the moment?" },
	{ "failures-at-16384", "failures", NULL, "what's the breakdown of causes - GPUs, network, software?" },
	{ "failures-at-16384", "restart", NULL, "After a failure, how long until we're training again?" },
	{ "failures-at-16384", "restart", "effort", "Do we have spare nodes sitting around?" },
	{ "failures-at-16384", "storage", "model", "How big is the checkpoint and where does it go, local disk or a parallel file system?" },
	{ "failures-at-16384", "goal", NULL, "What do you count as useful time exactly?" },
	{ "fast-for-one", "hardware", NULL, "What GPUs are we running on, and how many?" },
	{ "fast-for-one", "today", NULL, "What is the latency per token today?" },
	{ "fast-for-one", "context", "target", "how long are the prompt and the answer typically?" },
	{ "fast-for-one", "quality", NULL, "Can I quantize the weights or does quality have to be identical?" },
	{ "fast-for-one", "draft", NULL, "Is there a draft model available for speculative decoding?" },
	{ "fast-for-one", "users", NULL, "Is it really just batch size one, or will there be other users on the box at the same time?" },
	{ "fast-for-one", "hardware", NULL, "How are the GPUs connected, NVLink or PCIe?" },
	{ "fast-for-one", "hardware", NULL, "What do we have to spend on additional hardware?" },
	{ "feed-the-gpus", "trace", NULL, "What does GPU utilization look like right now?" },
	{ "feed-the-gpus", "host", NULL, "How many CPU cores per GPU do we have?" },
	{ "feed-the-gpus", "storage", NULL, "Where's the data stored, on local NVMe or over the network?" },
	{ "feed-the-gpus", "job", NULL, "How large is an image on average, in KB?" },
	{ "feed-the-gpus", "prep", NULL, "What preprocessing and augmentation is done to each picture?" },
	{ "feed-the-gpus", "compute", NULL, "How many images a second can the GPUs eat if the input is not the limit?" },
	{ "feed-the-gpus", "trace", "prep", "Did anybody profile the data loader, what takes the time - decoding, reading?" },
	{ "feed-the-gpus", "host", "money", "What would the new servers cost us?" },
	{ "gradients-over-ethernet", "network", NULL, "How fast is the link between nodes? 25 gig, 100 gig?" },
	{ "gradients-over-ethernet", "cluster", NULL, "How many nodes, and how many GPUs in each?" },
	{ "gradients-over-ethernet", "model", NULL, "How large is the model?" },
	{ "gradients-over-ethernet", "loop", NULL, "Do we overlap the all-reduce with the backward pass?" },
	{ "gradients-over-ethernet", "compute", "loop", "What's the step time, and how much of it is communication?" },
	{ "gradients-over-ethernet", "money", NULL, "Can we buy faster NICs or InfiniBand?" },
	{ "gradients-over-ethernet", "gradients", NULL, "Would you accept gradient compression or anything else that changes the convergence?" },
	{ "gradients-over-ethernet", "batch", NULL, "what's the global batch size, and can I make it bigger?" },
	{ "halve-the-bill", "bill", NULL, "How much are we paying now per month?" },
	{ "halve-the-bill", "model", NULL, "What model is it and how big?" },
	{ "halve-the-bill", "load", NULL, "What is the traffic like over a day, is there a strong peak?" },
	{ "halve-the-bill", "latency", NULL, "What latency SLO do we have?" },
	{ "halve-the-bill", "quality", NULL, "When you say nobody may notice, how do you measure quality?" },
	{ "halve-the-bill", "hardware", "today", "Which GPUs are you renting, on demand or reserved?" },
	{ "halve-the-bill", "prompt", NULL, "Do the requests share a common system prompt or prefix?" },
	{ "halve-the-bill", "prompt", "answer", "How many tokens in and out for a typical request?" },
	{ "how-many-workers", "load", NULL, "How many tasks come in per hour at the busiest time?" },
	{ "how-many-workers", "task", NULL, "How long does a task run on average?" },
	{ "how-many-workers", "spread", NULL, "How much do task durations vary? are there very long ones?" },
	{ "how-many-workers", "promise", NULL, "What waiting time have we promised customers?" },
	{ "how-many-workers", "today", "alike", "How come workers are idle while people wait - are they split up into pools or per customer?" },
	{ "how-many-workers", "quota", NULL, "What does one worker cost?" },
	{ "how-many-workers", "alike", NULL, "How long does it take to start a new worker?" },
	{ "how-many-workers", "quality", NULL, "Can a task be interrupted and resumed, or does it have to run through?" },
	{ "long-answers", "prompt", NULL, "How long is a typical prompt?" },
	{ "long-answers", "answer", NULL, "How many tokens does it generate now, including the thinking?" },
	{ "long-answers", "load", NULL, "How many people use it at once?" },
	{ "long-answers", "model", NULL, "Which model is it, is it an MoE or dense?" },
	{ "long-answers", "hardware", NULL, "What kinds of GPU can we choose from and what do they cost?" },
	{ "long-answers", "patience", NULL, "how quickly should the tokens stream, what's our TPOT target?" },
	{ "long-answers", "patience", NULL, "Does the user see the reasoning or do they wait for the final answer?" },
	{ "long-answers", "model", NULL, "What does attention look like in this model, GQA? how many kv heads?" },
	{ "long-documents", "documents", NULL, "How long are the contracts in tokens?" },
	{ "long-documents", "open", NULL, "How many questions do users ask about the same contract?" },
	{ "long-documents", "gpus", NULL, "What hardware is it on?" },
	{ "long-documents", "today", NULL, "Is there any prefix caching today?" },
	{ "long-documents", "pace", NULL, "How long does someone wait for the first token?" },
	{ "long-documents", "today", NULL, "What do the metrics say about KV cache usage, are there preemptions?" },
	{ "long-documents", "load", NULL, "How many requests per minute are we getting?" },
	{ "long-documents", "", NULL, "Could we use RAG instead, so retrieval of only the relevant passages?" },
	{ "mixture-on-72", "model", NULL, "How many experts are there and how many are active per token?" },
	{ "mixture-on-72", "machines", NULL, "Which machines can we choose from?" },
	{ "mixture-on-72", "machines", NULL, "What's the interconnect bandwidth between GPUs?" },
	{ "mixture-on-72", "context", NULL, "What context length should I assume?" },
	{ "mixture-on-72", "gap", NULL, "What speed per user do you want?" },
	{ "mixture-on-72", "precision", NULL, "In what precision are the weights published?" },
	{ "mixture-on-72", "favourites", NULL, "Are the experts evenly loaded or are there hot ones?" },
	{ "mixture-on-72", "prefill", NULL, "Is prefill done elsewhere, or do these 72 GPUs do both?" },
	{ "move-to-another-gpu", "offer", NULL, "Which GPUs are on offer and at what price per hour?" },
	{ "move-to-another-gpu", "model", NULL, "How big is the code model?" },
	{ "move-to-another-gpu", "load", NULL, "How many completions per second at peak?" },
	{ "move-to-another-gpu", "latency", NULL, "How fast must a completion show up for the developer?" },
	{ "move-to-another-gpu", "today", "bound", "How many A100s do you have today, and how busy are they?" },
	{ "move-to-another-gpu", "quality", NULL, "Can the new cards use FP8, has anyone checked the quality with that?" },
	{ "move-to-another-gpu", "prompt", "answer", "How long is the context we send, and how many tokens come back?" },
	{ "move-to-another-gpu", "software", NULL, "Is there any software that's tied to Ampere, custom kernels for example?" },
	{ "one-server", "server", NULL, "What's in the server, which GPU and how much VRAM?" },
	{ "one-server", "model", "today", "Which model do you serve, and how many bits are the weights?" },
	{ "one-server", "today", NULL, "What do you run it with - ollama, llama.cpp, vLLM?" },
	{ "one-server", "load", NULL, "How many people use it at the same time?" },
	{ "one-server", "prompts", "answers", "How long are the questions and answers?" },
	{ "one-server", "first", NULL, "What would be an acceptable wait?" },
	{ "one-server", "server", NULL, "Is there money to buy a second card?" },
	{ "one-server", "today", NULL, "What settings are in use now, like the context length and parallel slots?" },
	{ "p99-at-noon", "setup", NULL, "What changed last week? any deploys?" },
	{ "p99-at-noon", "load", NULL, "What's the request rate at noon compared with the morning?" },
	{ "p99-at-noon", "prompts", NULL, "Did the lengths of the prompts change?" },
	{ "p99-at-noon", "symptom", NULL, "What does the queue look like at noon, how many requests are waiting?" },
	{ "p99-at-noon", "symptom", "setup", "Is it all replicas or only some of them?" },
	{ "p99-at-noon", "latency", NULL, "What's the SLO for TTFT?" },
	{ "p99-at-noon", "", NULL, "How is GPU memory, does the KV cache fill up?" },
	{ "p99-at-noon", "setup", NULL, "Are we using chunked prefill?" },
	{ "regression-of-12-percent", "changes", NULL, "What was in the release, can I see the list of changes?" },
	{ "regression-of-12-percent", "stays", "tried", "Can we roll back individual changes?" },
	{ "regression-of-12-percent", "trace", "kernels", "Do you have a profile from before and after?" },
	{ "regression-of-12-percent", "", NULL, "Did the loss curve change as well?" },
	{ "regression-of-12-percent", "cluster", NULL, "On what hardware does the training run, and did it change?" },
	{ "regression-of-12-percent", "measured", NULL, "How noisy is the step time from one run to the next?" },
	{ "regression-of-12-percent", "cluster", NULL, "Does it also happen on a single node?" },
	{ "regression-of-12-percent", "measured", "tried", "How long does one test run take, so how expensive is a bisect?" },
	{ "rollouts", "lengths", NULL, "How long are the responses, mean and max?" },
	{ "rollouts", "loop", NULL, "How many samples per prompt do we take?" },
	{ "rollouts", "gpus", NULL, "How many GPUs do we have and how are they divided between training and generation?" },
	{ "rollouts", "trace", "loop", "How does the time of a step break down?" },
	{ "rollouts", "age", NULL, "Can we tolerate off-policy data, say one step stale?" },
	{ "rollouts", "model", NULL, "How big's the policy model?" },
	{ "rollouts", "loop", NULL, "How long does it take to sync the weights to the inference engine?" },
	{ "rollouts", "lengths", NULL, "what's the length distribution, is there a long tail of stragglers?" },
	{ "scale-to-64", "network", NULL, "What is the network between nodes?" },
	{ "scale-to-64", "overlap", NULL, "Which parallelism are we using, plain data parallel or FSDP, TP?" },
	{ "scale-to-64", "batch", NULL, "Did you keep the global batch size fixed when you doubled the GPUs?" },
	{ "scale-to-64", "goal", NULL, "How long is a step on 32 and how long on 64?" },
	{ "scale-to-64", "overlap", NULL, "What does the profiler show - how much time is exposed communication?" },
	{ "scale-to-64", "model", NULL, "What model size are we talking about?" },
	{ "scale-to-64", "cluster", NULL, "What GPUs are in the nodes, and how many per node?" },
	{ "scale-to-64", "input", NULL, "Is the data pipeline keeping up?" },
	{ "serve-70b", "load", NULL, "How many users do you expect, and how many requests per second at peak?" },
	{ "serve-70b", "prompt", "answer", "What's the average input and output length?" },
	{ "serve-70b", "ttft", "gap", "What are the latency targets, TTFT and time per output token?" },
	{ "serve-70b", "hardware", NULL, "Which GPUs can we get?" },
	{ "serve-70b", "budget", NULL, "What's our budget?" },
	{ "serve-70b", "quality", NULL, "Does the quality team allow FP8?" },
	{ "serve-70b", "prompt", NULL, "Will it be multi-turn chat, with a system prompt we could cache?" },
	{ "serve-70b", "", NULL, "What about redundancy, do we need to survive losing a node?" },
	{ "smaller-model", "room", NULL, "How much flash and RAM does the new chip have?" },
	{ "smaller-model", "network", NULL, "How big is the network today, in kilobytes?" },
	{ "smaller-model", "quality", NULL, "How accurate must it stay?" },
	{ "smaller-model", "speed", NULL, "How often does the meter take a reading?" },
	{ "smaller-model", "speed", NULL, "How long may one inference take, and is there an energy limit? it's on battery I guess" },
	{ "smaller-model", "images", "retrain", "Do we have the training data, so can I retrain or do QAT?" },
	{ "smaller-model", "chip", NULL, "Does the chip support int8 instructions or have an FPU?" },
	{ "smaller-model", "network", NULL, "What layers does the network consist of?" },
	{ "train-at-128k", "cluster", NULL, "How many GPUs have we got, and which?" },
	{ "train-at-128k", "today", NULL, "What context length was it trained with so far?" },
	{ "train-at-128k", "tokens", NULL, "How many tokens do we plan to train on for the extension?" },
	{ "train-at-128k", "deadline", NULL, "When must it be finished?" },
	{ "train-at-128k", "", NULL, "What happens when you just try it today, does it run out of memory?" },
	{ "train-at-128k", "model", NULL, "What's the architecture: layers, hidden size, heads?" },
	{ "train-at-128k", "network", NULL, "How are the nodes connected to each other?" },
	{ "train-at-128k", "batch", NULL, "What batch size in tokens do you want per step?" },
	{ "train-in-30-days", "cluster", NULL, "How many GPUs in the cluster, and which type?" },
	{ "train-in-30-days", "tokens", NULL, "How many tokens do we have to train on?" },
	{ "train-in-30-days", "", NULL, "What MFU did the team reach on previous runs?" },
	{ "train-in-30-days", "network", "cluster", "What's the interconnect, inside and between nodes?" },
	{ "train-in-30-days", "deadline", NULL, "How often do nodes fail on this cluster?" },
	{ "train-in-30-days", "software", NULL, "Could we train in FP8 or does it have to be bf16?" },
	{ "train-in-30-days", "batch", NULL, "What sequence length and batch size did research ask for?" },
	{ "train-in-30-days", "", NULL, "Are other teams using the cluster in that month too?" },
};

static const struct blind second[] = {
	{ "200-ms-to-50", "weeks", NULL, "How much time do we have to get there, and how many people?" },
	{ "200-ms-to-50", "platform", NULL, "Does the team have a different compute board in mind, or are we stuck with this one?" },
	{ "200-ms-to-50", "jitter", NULL, "how much does the runtime of a stage fluctuate from frame to frame?" },
	{ "200-ms-to-50", "", NULL, "How do we roll an update out to all the cars?" },
	{ "drive-on-thor", "today", NULL, "Where does the time go at the moment, have you traced it?" },
	{ "drive-on-thor", "safety", NULL, "What happens if the model is too late with a plan?" },
	{ "drive-on-thor", "batch", NULL, "Do we have to process more than one request at once?" },
	{ "drive-on-thor", "encoder", NULL, "How long does the image encoder need?" },
	{ "failures-at-16384", "model", NULL, "What model are you training and how big is it?" },
	{ "failures-at-16384", "cluster", NULL, "How many GPUs does the job use?" },
	{ "failures-at-16384", "storage", NULL, "What write throughput does the storage give us?" },
	{ "failures-at-16384", "effort", NULL, "How many engineers can work on this, and for how long?" },
	{ "fast-for-one", "model", NULL, "Is this a dense model? how many params?" },
	{ "fast-for-one", "target", NULL, "3x faster in what sense, TTFT or the tokens after it?" },
	{ "fast-for-one", "today", NULL, "Are you already using CUDA graphs or TensorRT-LLM or something like that?" },
	{ "fast-for-one", "draft", NULL, "What would the tokens of a smaller model in the same family be worth, how often does the big one agree?" },
	{ "feed-the-gpus", "loader", NULL, "How many dataloader workers do you run, and with what prefetch factor?" },
	{ "feed-the-gpus", "goal", NULL, "What utilization do you want to reach in the end?" },
	{ "feed-the-gpus", "copies", NULL, "How much RAM does each worker take?" },
	{ "feed-the-gpus", "spread", NULL, "Do some batches take much longer than others?" },
	{ "gradients-over-ethernet", "hops", NULL, "Are you on plain TCP or do you have RoCE / RDMA?" },
	{ "gradients-over-ethernet", "model", NULL, "How many parameters does the model have?" },
	{ "gradients-over-ethernet", "gradients", NULL, "What dtype are the gradients when they're reduced?" },
	{ "gradients-over-ethernet", "goal", NULL, "How good does it have to get, what fraction of the step may be communication?" },
	{ "halve-the-bill", "memory", NULL, "What's the bottleneck right now, compute or memory?" },
	{ "halve-the-bill", "quality", NULL, "Which precision have we evaluated, would int4 be okay?" },
	{ "halve-the-bill", "latency", NULL, "How fast do tokens have to appear for the writer?" },
	{ "halve-the-bill", "today", NULL, "How many replicas do we run and on what engine?" },
	{ "how-many-workers", "quota", NULL, "Is there a cap on how many workers we can run?" },
	{ "how-many-workers", "arrivals", NULL, "Do the tasks come in bursts?" },
	{ "how-many-workers", "alike", NULL, "Are the workers interchangeable?" },
	{ "how-many-workers", "today", NULL, "Is there a common queue or does each worker have its own?" },
	{ "long-answers", "", NULL, "When do we launch?" },
	{ "long-answers", "ttft", NULL, "How quickly should it start responding?" },
	{ "long-answers", "drafts", NULL, "Have you tried speculative decoding?" },
	{ "long-answers", "today", NULL, "How's the current model served, on how many GPUs?" },
	{ "long-documents", "model", NULL, "Which model do you use for this?" },
	{ "long-documents", "order", NULL, "Does the contract come at the start of the prompt, before the question?" },
	{ "long-documents", "privacy", NULL, "Can different customers share cached documents, or is that a confidentiality issue?" },
	{ "long-documents", "quality", NULL, "Is an fp8 KV cache acceptable?" },
	{ "mixture-on-72", "rate", NULL, "How many tokens per second do we need in total?" },
	{ "mixture-on-72", "model", NULL, "Is the model using MLA, what's the hidden dimension?" },
	{ "mixture-on-72", "context", NULL, "how long are the sequences usually?" },
	{ "mixture-on-72", "precision", NULL, "Has FP4 been tested?" },
	{ "move-to-another-gpu", "latency", NULL, "What are developers promised, what's the p99?" },
	{ "move-to-another-gpu", "bound", NULL, "Is it compute bound or memory bound today?" },
	{ "move-to-another-gpu", "software", NULL, "Would AMD be an option or is the code CUDA only?" },
	{ "move-to-another-gpu", "", NULL, "Are the A100s rented or do we own them?" },
	{ "one-server", "load", NULL, "How many requests come in per minute?" },
	{ "one-server", "symptom", NULL, "What does nvidia-smi show, is the GPU actually busy?" },
	{ "one-server", "today", NULL, "Does it batch requests, and how?" },
	{ "one-server", "", NULL, "Which OS is on the box?" },
	{ "p99-at-noon", "gpus", NULL, "Could we get a few more GPUs for the peak?" },
	{ "p99-at-noon", "", NULL, "Do we have several regions, could one of them help out?" },
	{ "p99-at-noon", "symptom", NULL, "Is decode affected as well, or only prefill?" },
	{ "p99-at-noon", "answers", NULL, "How long are the outputs?" },
	{ "regression-of-12-percent", "tried", NULL, "What has on-call already tried?" },
	{ "regression-of-12-percent", "metrics", NULL, "How often is the loss logged or synced back to the CPU?" },
	{ "regression-of-12-percent", "memory", NULL, "How much CPU memory do the nodes have?" },
	{ "regression-of-12-percent", "trace", NULL, "Is the GPU waiting for data, what does the timeline show?" },
	{ "rollouts", "", NULL, "What do you use as the reward, is there a reward model?" },
	{ "rollouts", "cut", NULL, "May I cap the maximum length of a response?" },
	{ "rollouts", "precision", NULL, "Would fp8 inference be fine for the generation?" },
	{ "rollouts", "trace", NULL, "What do GPU utilization and the number of running sequences look like during a step?" },
	{ "scale-to-64", "batch", NULL, "Is a larger batch size okay for convergence?" },
	{ "scale-to-64", "stragglers", NULL, "Are there slow nodes, or does anybody share the cluster?" },
	{ "scale-to-64", "money", NULL, "Can we spend money on a better network?" },
	{ "scale-to-64", "", NULL, "Which optimizer are we using?" },
	{ "serve-70b", "night", NULL, "Does the traffic follow a daily pattern, or is it flat?" },
	{ "serve-70b", "model", NULL, "Could we take a smaller model instead?" },
	{ "serve-70b", "ttft", NULL, "How long may the user wait until something shows up?" },
	{ "serve-70b", "", NULL, "Is the data sensitive, does it have to be on-prem?" },
	{ "smaller-model", "", NULL, "When does the new meter ship?" },
	{ "smaller-model", "sparse", NULL, "Does the chip get anything out of sparse weights?" },
	{ "smaller-model", "ranges", NULL, "Are there outliers in the activations?" },
	{ "smaller-model", "chip", NULL, "What can the processor do, is there floating point?" },
	{ "train-at-128k", "software", NULL, "Which framework do you train with, and does it support context parallelism?" },
	{ "train-at-128k", "success", NULL, "How do we know whether it worked, needle in a haystack?" },
	{ "train-at-128k", "length", NULL, "Is the data really that long, or do you pack short documents?" },
	{ "train-at-128k", "memory", NULL, "How much GPU memory may I fill?" },
	{ "train-in-30-days", "", NULL, "How are checkpoints written?" },
	{ "train-in-30-days", "memory", NULL, "How much headroom do I need to leave in HBM?" },
	{ "train-in-30-days", "deadline", NULL, "Is the 30 days a hard limit, does it include restarts?" },
	{ "train-in-30-days", "batch", NULL, "What's the max global batch size in tokens?" },
};
static const struct blind third[] = {
	{ "200-ms-to-50", "today", NULL, "Where do the 200 ms go today - have you got a breakdown stage by stage, from the shutter to the planner?" },
	{ "200-ms-to-50", "meaning", NULL, "Is 50 the mean or does it have to hold at the tail too?" },
	{ "200-ms-to-50", "today", "platform", "what compute is in the car, and is anything else running on the same chip" },
	{ "200-ms-to-50", "", NULL, "Can we touch the camera and ISP settings, exposure, frame rate and so on, or is that someone else's turf?" },
	{ "200-ms-to-50", "", NULL, "I'd like to know whether there is a safety case or certification that limits what I may change." },
	{ "drive-on-thor", "model", "action", "How big's the model, and how many tokens does it spit out per plan?" },
	{ "drive-on-thor", "limit", NULL, "What rate does the control loop need a fresh plan at?" },
	{ "drive-on-thor", "today", "precision", "Which precision are you running in the car right now, and on what runtime - plain PyTorch or something compiled?" },
	{ "drive-on-thor", "action", NULL, "Does it write out a chain of reasoning before the trajectory, and does anybody actually need that text?" },
	{ "drive-on-thor", "precision", NULL, "How would we know that a faster version still drives as well? Is there a closed-loop sim or just the replay set?" },
	{ "failures-at-16384", "failures", NULL, "How often does it die, roughly - what's your MTBF?" },
	{ "failures-at-16384", "failures", NULL, "What breaks? GPUs, HBM, the network, software... do you keep a log of causes?" },
	{ "failures-at-16384", "checkpoint", "storage", "How long does a checkpoint take to write, and how frequently do you take one?" },
	{ "failures-at-16384", "restart", NULL, "and once it's down, how long til the job is training again" },
	{ "failures-at-16384", "restart", "cluster", "Do we have spare nodes standing by, or is every one of the 16k in the job?" },
	{ "fast-for-one", "today", "hardware", "What are we running it on now, and what tokens/s does this one user see?" },
	{ "fast-for-one", "users", NULL, "Batch size of one, always? Or might other users turn up later?" },
	{ "fast-for-one", "quality", NULL, "Are we allowed to quantise, or must the output stay identical?" },
	{ "fast-for-one", "draft", NULL, "Is there a small model of the same family around that could act as a draft?" },
	{ "fast-for-one", "context", "target", "How long's a typical prompt and how long's the answer?" },
	{ "feed-the-gpus", "loader", "storage", "What does the input pipeline look like at the moment: what's stored, where, and who decodes it?" },
	{ "feed-the-gpus", "host", "trace", "How many cores per GPU do you have, and are they actually pegged?" },
	{ "feed-the-gpus", "compute", NULL, "How many images a second could the GPUs eat if you fed them synthetic data?" },
	{ "feed-the-gpus", "job", NULL, "How big are the pictures on disk vs what goes into the model?" },
	{ "feed-the-gpus", "host", NULL, "whats the price of those servers the team wants?" },
	{ "gradients-over-ethernet", "network", "hops", "How fast is the Ethernet - 25, 100, 400 gig? And is it RoCE or plain TCP?" },
	{ "gradients-over-ethernet", "cluster", NULL, "How many nodes, with how many GPUs apiece?" },
	{ "gradients-over-ethernet", "model", "gradients", "What's the model size, and in which dtype do you reduce the grads?" },
	{ "gradients-over-ethernet", "loop", NULL, "How much of the step is exposed comms, as opposed to overlapped with backward?" },
	{ "gradients-over-ethernet", "batch", "gradients", "Would the researchers live with a changed algorithm, e.g. local SGD or compressed gradients, or does the loss curve have to match?" },
	{ "halve-the-bill", "bill", "today", "What's the bill at present, and how many GPUs of what sort is that?" },
	{ "halve-the-bill", "load", NULL, "How does the traffic go over the day - is there a big gap between peak and night?" },
	{ "halve-the-bill", "latency", "quality", "\"Nobody may notice\" - do we have an SLO for that, a latency number and some quality eval?" },
	{ "halve-the-bill", "hardware", NULL, "Are you tied into reserved capacity or a contract, or can we hand GPUs back whenever we like?" },
	{ "halve-the-bill", "", NULL, "Who's on the team that would do the work, and how many of them?" },
	{ "how-many-workers", "load", "arrivals", "How many tasks come in an hour, and how bursty is that?" },
	{ "how-many-workers", "task", "spread", "How long does one task run for? I'd want the spread as well as the mean, really." },
	{ "how-many-workers", "promise", NULL, "What exactly did we promise the customers about the wait?" },
	{ "how-many-workers", "today", "alike", "You say workers are idle while folks queue - how come? Are they pinned to a customer or a region or something?" },
	{ "how-many-workers", "alike", "quota", "How long does a worker take to boot, and what does one cost per hour?" },
	{ "is-it-faster", "method", "spread", "How many runs did he do, and what was the scatter between them?" },
	{ "is-it-faster", "gpu", "method", "Were both versions timed on the same GPU, interleaved, with clocks locked?" },
	{ "is-it-faster", "method", NULL, "What exactly did he time - the kernel by itself, or the whole step end to end?" },
	{ "is-it-faster", "", NULL, "did he try a bunch of variants and pick the best one?" },
	{ "is-it-faster", "worth", NULL, "What does it cost us if we ship it and it turns out not to be faster?" },
	{ "long-answers", "answer", "prompt", "How many tokens does a reply have, thinking included, and how long is the prompt?" },
	{ "long-answers", "model", NULL, "What's the model - dense or MoE, what size, which attention? I'm after KV bytes per token." },
	{ "long-answers", "ttft", "patience", "How long may a user be kept waiting before the first visible word?" },
	{ "long-answers", "hardware", NULL, "Which machines are on offer and what do they rent for?" },
	{ "long-answers", "load", NULL, "How many conversations at once at peak?" },
	{ "long-documents", "documents", "answers", "How long are these contracts in tokens, and how long are the answers?" },
	{ "long-documents", "open", NULL, "Do several people ask about the same contract, or the same person several questions in a row?" },
	{ "long-documents", "today", NULL, "Is prefix caching on?" },
	{ "long-documents", "pace", NULL, "What counts as good enough - how soon does somebody need an answer?" },
	{ "long-documents", "", NULL, "Have you thought of retrieval instead of stuffing the whole doc in, and would legal accept that?" },
	{ "mixture-on-72", "model", NULL, "What's the model exactly: how many experts, how many active per token, hidden size, layers?" },
	{ "mixture-on-72", "machines", NULL, "Which machines can we choose from, and how are the GPUs joined up in each?" },
	{ "mixture-on-72", "gap", "rate", "What speed per user do you want, and how many concurrent users?" },
	{ "mixture-on-72", "favourites", NULL, "Is the routing balanced, or are there hot experts?" },
	{ "mixture-on-72", "precision", NULL, "I wonder what precision the weights ship in, 4 bit or FP8?" },
	{ "move-to-another-gpu", "offer", NULL, "What's on the shortlist, and at what price?" },
	{ "move-to-another-gpu", "load", "latency", "What do the A100s deliver today, i.e. requests per second and latency?" },
	{ "move-to-another-gpu", "software", NULL, "Is our stack full of hand-written CUDA or is it all portable?" },
	{ "move-to-another-gpu", "", NULL, "Any limits on power or cooling in the racks, or do we rent from a cloud?" },
	{ "move-to-another-gpu", "prompt", "answer", "Prompt and completion lengths? I'd guess long in, short out." },
	{ "one-server", "server", NULL, "What's in the box - which GPU(s), how much memory?" },
	{ "one-server", "model", "today", "Which model, and what do you serve it with? vLLM, Ollama, llama.cpp?" },
	{ "one-server", "load", NULL, "How many people use it now, and how many of them at the same moment?" },
	{ "one-server", "today", NULL, "Could you read me the launch command or the settings as they stand?" },
	{ "one-server", "server", NULL, "Any money for a second server, or is it settings only?" },
	{ "out-of-memory", "hardware", NULL, "Which GPUs, 80 gig ones?" },
	{ "out-of-memory", "method", "optimizer", "Full fine-tune or LoRA? And what optimiser, in which precision?" },
	{ "out-of-memory", "sequences", NULL, "What's the sequence length and micro batch?" },
	{ "out-of-memory", "run", NULL, "How's it sharded right now - plain DDP, FSDP, ZeRO something?" },
	{ "out-of-memory", "deadline", NULL, "When does it need to be finished, and does it matter if it trains somewhat slower?" },
	{ "p99-at-noon", "setup", "prompts", "What changed last week? Any deploy, config change, new customer?" },
	{ "p99-at-noon", "load", "prompts", "What's the traffic like at noon compared with the morning, in requests per sec and in prompt length?" },
	{ "p99-at-noon", "prompts", NULL, "Do the slow requests have anything in common, like the same tenant, the same replica, or very long prompts?" },
	{ "p99-at-noon", "symptom", NULL, "Is it queueing or is it prefill? I mean, do we have the TTFT split into waiting and computing?" },
	{ "p99-at-noon", "latency", NULL, "What's our target for p99 TTFT?" },
	{ "perception-budget", "late", "stages", "What's the frame budget in ms, and where are we with six?" },
	{ "perception-budget", "platform", "gpu", "What chip is it on, and does it run anything else beside perception?" },
	{ "perception-budget", "stages", NULL, "Do the cameras go through the backbone as one batch or one by one?" },
	{ "perception-budget", "cameras", "rate", "What resolution and frame rate does the new camera have, and which way does it look?" },
	{ "perception-budget", "quality", NULL, "How much accuracy may we lose, if any?" },
	{ "regression-of-12-percent", "changes", NULL, "What went into the release? Can I get a list of the changes?" },
	{ "regression-of-12-percent", "tried", NULL, "Can I roll them back one at a time on a small setup, or does it only show at full scale?" },
	{ "regression-of-12-percent", "trace", "kernels", "Do you have profiler traces from before and after?" },
	{ "regression-of-12-percent", "measured", NULL, "How noisy is the step time normally - is 12% way outside that?" },
	{ "regression-of-12-percent", "trace", NULL, "Is it every rank and every step, or some of them being slow?" },
	{ "rollouts", "lengths", NULL, "How is the length of the rollouts distributed - is there a long tail that everybody waits for?" },
	{ "rollouts", "model", "gpus", "Which model size, and how many GPUs generate vs. train?" },
	{ "rollouts", "age", NULL, "Must it be strictly on-policy, or may the rollouts be a step or two stale?" },
	{ "rollouts", "today", "loop", "How long is a step and what share is generation, reward, and the update?" },
	{ "rollouts", "loop", NULL, "Which algorithm is it, GRPO or PPO, and how many samples per prompt?" },
	{ "scale-to-64", "batch", NULL, "Did you keep the global batch the same when you doubled, or the batch per GPU?" },
	{ "scale-to-64", "cluster", "network", "What's the interconnect within a node and between nodes?" },
	{ "scale-to-64", "overlap", "model", "How's the model parallelised, what are TP, PP and DP?" },
	{ "scale-to-64", "overlap", NULL, "Have you a trace showing how much of the step is waiting on comms at 32 and at 64?" },
	{ "scale-to-64", "cluster", NULL, "Are the new 32 GPUs the same kind, in the same rack, on the same switch?" },
	{ "serve-70b", "load", NULL, "How many users at peak, or better, requests per second?" },
	{ "serve-70b", "prompt", "answer", "Average input and output tokens?" },
	{ "serve-70b", "ttft", "gap", "What latency are you aiming at, time to first token and tokens per sec after that?" },
	{ "serve-70b", "hardware", NULL, "What GPUs can we get hold of, and at what rate per hour?" },
	{ "serve-70b", "", NULL, "Does it have to survive a node going down, are there any availability requirements?" },
	{ "smaller-model", "room", "network", "How much flash and RAM does the new chip have, and how big is the net now?" },
	{ "smaller-model", "quality", NULL, "What accuracy does it have now and how much of a drop would count as noticed?" },
	{ "smaller-model", "images", "retrain", "Have we got the training data still, with labels, and the training code?" },
	{ "smaller-model", "chip", NULL, "Does the new chip do int8 in hardware, or has it got no FPU, or what?" },
	{ "smaller-model", "speed", NULL, "How often does a meter read, and what's the battery budget per reading?" },
	{ "train-at-128k", "today", "success", "How long is the context it was trained at, and how does it encode positions, RoPE I assume?" },
	{ "train-at-128k", "cluster", "deadline", "How many GPUs do we get and for how long?" },
	{ "train-at-128k", "length", NULL, "What long data do we have - real long docs or just short ones glued together?" },
	{ "train-at-128k", "tokens", NULL, "How many tokens of continued training were you planning on?" },
	{ "train-at-128k", "success", NULL, "How will you judge it: needle tests, perplexity, or something real, and mustn't short tasks get worse?" },
	{ "train-in-30-days", "cluster", "network", "How many GPUs, which ones, and how are they wired?" },
	{ "train-in-30-days", "tokens", NULL, "How many tokens does it have to see?" },
	{ "train-in-30-days", "", NULL, "What MFU did you get on your previous runs?" },
	{ "train-in-30-days", "deadline", NULL, "How often do nodes fail, and how much time goes on restarts and checkpoints?" },
	{ "train-in-30-days", "software", "deadline", "If it doesn't fit, what can give: the token count, FP8, or an extension of the lease?" },
};

static const struct blind fourth[] = {
	{ "feed-the-gpus", "storage", "job", "How big are the images on disk, and are they JPEGs?" },
	{ "feed-the-gpus", "compute", NULL, "How many images per second can one GPU consume?" },
	{ "feed-the-gpus", "host", NULL, "How many CPU cores does a node have at the moment?" },
	{ "feed-the-gpus", "storage", NULL, "Is the data on a local NVMe or fetched over the network?" },
	{ "feed-the-gpus", "prep", NULL, "What augmentations do you apply on the fly?" },
	{ "feed-the-gpus", "loader", NULL, "How many loader workers are configured?" },
	{ "gradients-over-ethernet", "cluster", NULL, "How many nodes and how many GPUs in each?" },
	{ "gradients-over-ethernet", "network", NULL, "What's the link speed between nodes?" },
	{ "gradients-over-ethernet", "model", NULL, "How large is the model?" },
	{ "gradients-over-ethernet", "loop", NULL, "Is communication overlapped with backward today?" },
	{ "gradients-over-ethernet", "gradients", NULL, "In which format do you send the gradients?" },
	{ "gradients-over-ethernet", "batch", NULL, "Can we raise the batch size or use gradient accumulation?" },
	{ "halve-the-bill", "today", NULL, "What GPU types are you renting right now and how many?" },
	{ "halve-the-bill", "load", NULL, "What is the traffic over the day?" },
	{ "halve-the-bill", "latency", NULL, "Do you have a latency SLO?" },
	{ "halve-the-bill", "quality", NULL, "Who would notice a drop in quality, and how is quality measured?" },
	{ "halve-the-bill", "prompt", "answer", "How long are prompts and completions on average?" },
	{ "how-many-workers", "load", NULL, "How many tasks arrive per hour at peak?" },
	{ "how-many-workers", "task", "spread", "How long does a task run, and how much does that vary?" },
	{ "how-many-workers", "promise", NULL, "What wait is acceptable to customers?" },
	{ "how-many-workers", "alike", "today", "Why are idle workers not picked up: are tasks pinned to a worker?" },
	{ "how-many-workers", "quota", NULL, "What does a worker cost per hour?" },
	{ "is-it-faster", "method", NULL, "How many times did he run it?" },
	{ "is-it-faster", "spread", NULL, "How noisy is the benchmark, what's the standard deviation?" },
	{ "is-it-faster", "clocks", NULL, "Did he lock the clocks of the GPU?" },
	{ "is-it-faster", "gpu", "method", "Was the baseline measured on the same machine on the same day?" },
	{ "is-it-faster", "bar", NULL, "What false positive rate are we willing to accept?" },
	{ "long-answers", "load", NULL, "How many users at once do you expect?" },
	{ "long-answers", "model", NULL, "How many parameters does the model have?" },
	{ "long-answers", "patience", NULL, "How many tokens per second must a user see?" },
	{ "long-answers", "hardware", NULL, "What hardware can I choose from?" },
	{ "long-answers", "model", NULL, "Does it use GQA, how many KV heads?" },
	{ "long-documents", "documents", NULL, "How long is a contract in tokens?" },
	{ "long-documents", "open", NULL, "Do many questions refer to the same document?" },
	{ "long-documents", "load", NULL, "How many questions per second come in?" },
	{ "long-documents", "today", NULL, "Is prefix caching turned on?" },
	{ "long-documents", "", NULL, "How much GPU memory is left after the weights?" },
	{ "mixture-on-72", "machines", NULL, "Which racks can we rent, NVL72 or nodes of eight?" },
	{ "mixture-on-72", "model", NULL, "How many experts per layer and how many are active?" },
	{ "mixture-on-72", "gap", NULL, "What's the target inter-token latency?" },
	{ "mixture-on-72", "precision", NULL, "Which precision are the weights published in?" },
	{ "mixture-on-72", "context", NULL, "How long is the context?" },
	{ "move-to-another-gpu", "today", NULL, "How many A100s do you have today?" },
	{ "move-to-another-gpu", "model", NULL, "How large is the completion model?" },
	{ "move-to-another-gpu", "latency", NULL, "How quickly must a completion show up?" },
	{ "move-to-another-gpu", "offer", NULL, "What are the rental prices of the candidates?" },
	{ "move-to-another-gpu", "software", NULL, "Does our software stack run on AMD?" },
	{ "one-server", "load", NULL, "How many people use it at the same time?" },
	{ "one-server", "server", "today", "What's in the server?" },
	{ "one-server", "model", NULL, "Which model is it?" },
	{ "one-server", "today", NULL, "What batch limit is configured in the inference server?" },
	{ "one-server", "first", NULL, "How long do users tolerate for the first word?" },
	{ "out-of-memory", "method", NULL, "Full fine-tuning or LoRA?" },
	{ "out-of-memory", "hardware", NULL, "Which GPUs, and how much memory do they have?" },
	{ "out-of-memory", "sequences", NULL, "What sequence length and micro batch?" },
	{ "out-of-memory", "optimizer", "numerics", "Which optimizer do they use, Adam in fp32?" },
	{ "out-of-memory", "run", NULL, "Is activation checkpointing enabled?" },
	{ "p99-at-noon", "prompts", "setup", "What changed last week?" },
	{ "p99-at-noon", "load", "prompts", "How many requests per second at noon compared to the morning?" },
	{ "p99-at-noon", "symptom", NULL, "What does utilization look like at noon?" },
	{ "p99-at-noon", "prompts", NULL, "Are the slow ones the ones with long prompts?" },
	{ "p99-at-noon", "latency", NULL, "What's the promise for time to first token?" },
	{ "perception-budget", "rate", "late", "What is the frame rate and so the budget per frame?" },
	{ "perception-budget", "stages", NULL, "How long does the network take for six cameras?" },
	{ "perception-budget", "stages", NULL, "Is batching over the cameras used?" },
	{ "perception-budget", "platform", NULL, "Which SoC is in the car?" },
	{ "perception-budget", "late", "age", "What happens when a frame is late?" },
	{ "regression-of-12-percent", "changes", NULL, "What was in the release?" },
	{ "regression-of-12-percent", "trace", NULL, "Do you have profiler traces from before and after?" },
	{ "regression-of-12-percent", "measured", NULL, "Does every job get slower or only some?" },
	{ "regression-of-12-percent", "cluster", NULL, "How many GPUs is the job running on?" },
	{ "rollouts", "lengths", NULL, "How long are the responses, and what is the longest?" },
	{ "rollouts", "gpus", "loop", "How many GPUs generate and how many train?" },
	{ "rollouts", "age", NULL, "May the policy be stale by a step?" },
	{ "rollouts", "loop", NULL, "How many samples per prompt?" },
	{ "scale-to-64", "model", "batch", "What model and what global batch size?" },
	{ "scale-to-64", "batch", NULL, "Did you keep the batch per GPU the same?" },
	{ "scale-to-64", "network", NULL, "How fast is the network between the nodes?" },
	{ "scale-to-64", "overlap", "model", "What parallelism layout are you using?" },
	{ "serve-70b", "load", NULL, "What's the expected peak load?" },
	{ "serve-70b", "ttft", "gap", "What are the latency targets?" },
	{ "serve-70b", "hardware", NULL, "Which GPUs are available to rent and for how much?" },
	{ "serve-70b", "prompt", "answer", "How many tokens go in and out per request?" },
	{ "serve-70b", "quality", NULL, "May I use FP8?" },
	{ "smaller-model", "room", NULL, "How much flash and RAM does the new chip have?" },
	{ "smaller-model", "quality", NULL, "What accuracy does it have today, and how much may it lose?" },
	{ "smaller-model", "network", NULL, "How many parameters does the network have?" },
	{ "smaller-model", "chip", NULL, "Does the chip have floating point, or only int8?" },
	{ "train-at-128k", "cluster", NULL, "How many GPUs do I have and of what kind?" },
	{ "train-at-128k", "tokens", NULL, "How many tokens will we train on?" },
	{ "train-at-128k", "deadline", NULL, "How long may the run take?" },
	{ "train-at-128k", "batch", NULL, "What is the batch size in tokens?" },
	{ "train-in-30-days", "cluster", NULL, "How many GPUs does the cluster have?" },
	{ "train-in-30-days", "tokens", NULL, "How many tokens do you want to train on?" },
	{ "train-in-30-days", "deadline", NULL, "How often do nodes fail?" },
	{ "train-in-30-days", "network", NULL, "What's the interconnect?" },
};
/* clang-format on */

static bool is_meant(const struct blind *b, const char *id)
{
	return strcmp(id, b->fact) == 0 || (b->also && strcmp(id, b->also) == 0);
}

/* Asking back is right where one of those asked for is meant, or none of all facts: "1", "2" or "no" leads
 * on from there. A wrong fact that is only named was not told. */
static bool is_right(const struct blind *b, const struct design_case *c, const struct case_match *m)
{
	for (size_t i = 0; i < m->n && m->kind != MATCH_NOTHING; i++)
		if (is_meant(b, c->facts[m->facts[i]].id))
			return true;
	return m->kind != MATCH_FACT && is_meant(b, "");
}

struct tally {
	size_t n, right, at_once;          /* of the right ones those that were not asked back */
	size_t wrong, asked_back, in_vain; /* asked back, and none of the two was meant */
};

static struct tally put(const struct blind b[], size_t n)
{
	struct tally t = { .n = n };
	for (size_t i = 0; i < n; i++) {
		struct design_case c;
		cases_open(&c, &tables, b[i].id);
		const struct case_match m = case_ask_all(&c, b[i].question);
		const bool right = is_right(&b[i], &c, &m), back = m.kind == MATCH_OFFER;
		t.right += right;
		t.at_once += right && !back;
		t.wrong += !right && m.kind == MATCH_FACT;
		t.asked_back += back;
		t.in_vain += back && (!right || is_meant(&b[i], ""));
		if (!right)
			cr_log_info("%s: \"%s\": %s, expected \"%s\"%s%s, got \"%s\" \"%s\"", c.id,
				b[i].question,
				m.kind == MATCH_FACT ? "wrong"
				: back               ? "asked in vain"
						     : "missed",
				b[i].fact, b[i].also ? " or " : "", b[i].also ? b[i].also : "",
				m.n > 0 ? c.facts[m.facts[0]].id : "",
				m.n > 1 ? c.facts[m.facts[1]].id : "");
		case_release(&c);
	}
	return t;
}

static const struct {
	const char *by;
	const struct blind *list;
	size_t n;
} sets[] = { { "one who became known", first, LENGTH(first) },
	{ "one who knew the openings", second, LENGTH(second) },
	{ "a stranger", third, LENGTH(third) }, { "another stranger", fourth, LENGTH(fourth) } };

static void hold(const char *by, const struct tally *t)
{
	cr_log_info("by %s, of %zu: %zu right, %zu of these at once, %zu wrong, %zu asked back, "
		    "%zu of these in vain",
		by, t->n, t->right, t->at_once, t->wrong, t->asked_back, t->in_vain);
	cr_expect(ge(sz, t->right * 100, t->n * 90), "%s: %zu of %zu", by, t->right, t->n);
	cr_expect(le(sz, t->wrong * 100, t->n * 2), "%s: %zu of %zu", by, t->wrong, t->n);
}

/* The marks of each set and of all: a line is put whole, as a candidate types it. At least three of four questions are
 * answered without a word more. */
Test(case_blind, questions_of_strangers_find_their_facts)
{
	struct tally all = { .n = 0 };
	for (size_t i = 0; i < LENGTH(sets); i++) {
		const struct tally t = put(sets[i].list, sets[i].n);
		hold(sets[i].by, &t);
		all.n += t.n;
		all.right += t.right;
		all.at_once += t.at_once;
		all.wrong += t.wrong;
		all.asked_back += t.asked_back;
		all.in_vain += t.in_vain;
	}
	hold("all", &all);
	cr_expect(ge(sz, all.at_once * 100, all.n * 75), "%zu of %zu", all.at_once, all.n);
}

/* Of those facts that are told at once hardly any was not asked for. */
Test(case_blind, what_is_told_at_once_was_asked_for)
{
	size_t n = 0, twice = 0, strange = 0;
	for (size_t s = 0; s < LENGTH(sets); s++)
		for (size_t i = 0; i < sets[s].n; i++) {
			const struct blind *b = &sets[s].list[i];
			struct design_case c;
			cases_open(&c, &tables, b->id);
			const struct case_match m = case_ask_all(&c, b->question);
			n++;
			if (m.kind == MATCH_FACT && m.n > 1) {
				twice++;
				for (size_t k = 0; k < m.n; k++)
					if (!is_meant(b, c.facts[m.facts[k]].id)) {
						strange++;
						cr_log_info("%s: \"%s\": \"%s\" as well", c.id,
							b->question, c.facts[m.facts[k]].id);
					}
			}
			case_release(&c);
		}
	cr_log_info("of %zu: %zu told two or more, with %zu that were not asked for", n, twice,
		strange);
	cr_expect(lt(sz, 0, twice));
	cr_expect(le(sz, strange * 100, n * 2));
}
