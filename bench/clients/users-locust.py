# Virtual users for the benchmark of memory, in Locust: a GET, and a pause.
from locust import FastHttpUser, constant, task


class User(FastHttpUser):
    wait_time = constant(1)

    @task
    def get(self):
        self.client.get("/")
