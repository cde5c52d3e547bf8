"""events a second through SimPy's heap: PENDING processes that wait again and again, and the same
with bare events, which is the least that SimPy can do. Prints one number a line."""
import random
import sys
import time

import simpy

pending, events = int(sys.argv[1]), int(sys.argv[2])


def waits(env):
    while True:
        yield env.timeout(random.random() * 1e3)


def processes():
    env = simpy.Environment()
    for _ in range(pending):
        env.process(waits(env))
    for _ in range(pending):
        env.step()
    return env


def callbacks():
    env = simpy.Environment()

    def again(_):
        env.timeout(random.random() * 1e3).callbacks.append(again)

    for _ in range(pending):
        again(None)
    return env


for build in processes, callbacks:
    env = build()
    began = time.process_time()
    for _ in range(events):
        env.step()
    print(events / (time.process_time() - began))
