package shisanzhi

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/shisanzhi/shisanzhi/clients/go/shisanzhi/v1"
)

// Error is a call that the service failed, with all that it says about it.
type Error struct {
	Code          codes.Code
	Message       string
	Reason        Reason
	Faults        []Fault       // everything that is wrong with the request
	FaultsLeftOut int           // those that did not fit in
	RetryAfter    time.Duration // how long to wait when overloaded
	RequestID     string        // finds an internal error in the service's log
}

// Fault is one thing that is wrong with a request.
type Fault struct {
	Path        string // into the request, by the contract's names: arrangements[2].middle[4]
	Reason      Reason
	Description string // for developers; may change
}

// Reason is a stable name such as CARD_REPEATED: the one to branch on.
type Reason string

// Value is the reason's number; unspecified where only a newer server knows it.
func (r Reason) Value() pb.ErrorReason {
	return pb.ErrorReason(pb.ErrorReason_value["ERROR_REASON_"+string(r)])
}

// FromError reads an error of a call. It gives nil for one that does not come from the service itself: a
// server that is gone, say, has a status code alone.
func FromError(err error) *Error {
	rpc := status.Convert(err)
	read := &Error{Code: rpc.Code(), Message: rpc.Message()}
	ours := false
	for _, detail := range rpc.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			ours = detail.GetDomain() == "shisanzhi"
			read.Reason = Reason(detail.GetReason())
			read.FaultsLeftOut, _ = strconv.Atoi(detail.GetMetadata()["faults_left_out"])
		case *errdetails.BadRequest:
			for _, fault := range detail.GetFieldViolations() {
				read.Faults = append(read.Faults, Fault{
					fault.GetField(), Reason(fault.GetReason()), fault.GetDescription(),
				})
			}
		case *errdetails.RetryInfo:
			read.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.RequestInfo:
			read.RequestID = detail.GetRequestId()
		}
	}
	if !ours {
		return nil
	}
	return read
}

// Error says the reason and every fault, one a line.
func (e *Error) Error() string {
	lines := []string{fmt.Sprintf("%s: %s", e.Reason, e.Message)}
	for _, fault := range e.Faults {
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", fault.Path, fault.Description, fault.Reason))
	}
	return strings.Join(lines, "\n")
}
