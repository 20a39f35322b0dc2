// A service of gRPC for benchmarks: it answers any unary call with an Order, and Watch with a hundred of them. Beside
// the argument `delays`, it answers after 1 to 20 ms, and prints the percentiles of its own times, in us, for each line
// that it reads.
package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand"
	"net"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// raw passes the bytes of messages on, so that no type is needed.
type raw struct{}

func (raw) Marshal(v interface{}) ([]byte, error)      { return *(v.(*[]byte)), nil }
func (raw) Unmarshal(data []byte, v interface{}) error { *(v.(*[]byte)) = data; return nil }
func (raw) Name() string                               { return "proto" }
func (raw) String() string                             { return "proto" }

const messages = 100

func answer(_ interface{}, stream grpc.ServerStream) error {
	var request []byte
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	if delays {
		defer note(time.Now())
		time.Sleep(time.Duration(math.Pow(20, rand.Float64()) * float64(time.Millisecond)))
	}
	order := []byte{10, 1, 'o'}
	method, _ := grpc.MethodFromServerStream(stream)
	count := 1
	if strings.HasSuffix(method, "/Watch") {
		count = messages
	}
	for i := 0; i < count; i++ {
		if err := stream.SendMsg(&order); err != nil {
			return err
		}
	}
	return nil
}

var (
	delays bool
	lock   sync.Mutex
	times  []float64
)

func note(begun time.Time) {
	took := float64(time.Since(begun).Nanoseconds()) / 1000
	lock.Lock()
	times = append(times, took)
	lock.Unlock()
}

// report prints p50 and p99 of the calls since the last line.
func report() {
	lock.Lock()
	all := times
	times = nil
	lock.Unlock()
	sort.Float64s(all)
	at := func(share float64) float64 {
		if len(all) == 0 {
			return 0
		}
		return all[int(math.Ceil(share*float64(len(all))))-1]
	}
	fmt.Printf("{\"count\":%d,\"p50\":%f,\"p99\":%f}\n", len(all), at(0.5), at(0.99))
}

func main() {
	delays = len(os.Args) > 1 && os.Args[1] == "delays"
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			report()
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	server := grpc.NewServer(grpc.ForceServerCodec(raw{}), grpc.UnknownServiceHandler(answer))
	if err := server.Serve(listener); err != nil {
		panic(err)
	}
}
