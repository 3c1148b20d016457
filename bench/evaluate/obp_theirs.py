# The same estimates and intervals by Open Bandit Pipeline; prints seconds, peak memory and the values.
# Its dense arrays of probabilities and predictions are made before the clock starts.
import json
import resource
import sys
import time

import numpy as np
import obp
from obp.ope import (
    DirectMethod,
    DoublyRobust,
    InverseProbabilityWeighting,
    OffPolicyEvaluation,
    SelfNormalizedInverseProbabilityWeighting,
)

folder, items, resamples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def read(name, dtype):
    return np.fromfile(f"{folder}/{name}", dtype=dtype)


user = read("user", np.uint32)
feedback = {
    "n_rounds": user.size,
    "context": user[:, np.newaxis],
    "n_actions": items,
    "action": read("item", np.uint32).astype(int),
    "reward": read("reward", np.float64),
    "pscore": read("propensity", np.float64),
    "position": None,
}
target = read("target", np.float64).reshape(-1, items)[user][:, :, np.newaxis]
predicted = read("prediction", np.float64).reshape(-1, items)[user][:, :, np.newaxis]
estimators = [
    DirectMethod(estimator_name="dm"),
    InverseProbabilityWeighting(estimator_name="ips"),
    SelfNormalizedInverseProbabilityWeighting(estimator_name="snips"),
    DoublyRobust(estimator_name="dr"),
]

started = time.perf_counter()
evaluation = OffPolicyEvaluation(bandit_feedback=feedback, ope_estimators=estimators)
arrays = {"action_dist": target, "estimated_rewards_by_reg_model": predicted}
values = evaluation.estimate_policy_values(**arrays)
intervals = evaluation.estimate_intervals(**arrays, n_bootstrap_samples=resamples, random_state=0)
seconds = time.perf_counter() - started

print(
    json.dumps(
        {
            "seconds": seconds,
            "peakMegabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
            "version": obp.__version__,
            "values": {name: float(value) for name, value in values.items()},
            "intervals": {name: list(map(float, found.values())) for name, found in intervals.items()},
        }
    )
)
