// A service of gRPC for benchmarks: it answers any unary call with an Order, and Watch with a hundred of them.
package main

import (
	"fmt"
	"net"
	"strings"

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

func main() {
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
